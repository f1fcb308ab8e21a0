"""Play against a perfect opponent, in a terminal and in the browser."""
