"""Certificates of theorems about Toads and Frogs, and the small checkers that accept them or not."""
