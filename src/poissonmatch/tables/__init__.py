"""The columns of every table, and reading and writing them."""
