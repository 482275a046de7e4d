"""The audit as one HTML file: every number, its formula and derivation, and what a run did."""
