"""Proofs for all sizes, as text that a small checker replays."""
