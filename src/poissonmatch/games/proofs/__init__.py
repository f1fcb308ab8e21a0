"""Theorems about Toads and Frogs for all sizes at once: certificates, small checkers, and programs that find proofs."""
