"""The compiled code of the matching: plain arrays in, plain arrays out; matching.py checks what goes in."""
