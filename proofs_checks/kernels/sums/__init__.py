"""Proofs about finite sums over sets of any size: expressions, rewriting, steps and their check."""
