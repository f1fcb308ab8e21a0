"""Programs that find proofs about Toads and Frogs, for the checkers to accept or not."""
