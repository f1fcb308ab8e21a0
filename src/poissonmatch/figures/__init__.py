"""From data frames to pictures: all that knows matplotlib."""
