"""What tests of several wings share."""
