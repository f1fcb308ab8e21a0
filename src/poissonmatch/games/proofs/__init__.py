"""Search for proofs about Toads and Frogs; the checkers accept or refuse them."""
