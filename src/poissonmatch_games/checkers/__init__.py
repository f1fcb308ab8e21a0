"""Certificates of theorems about Toads and Frogs, and small programs that check them."""
