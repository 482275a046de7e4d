"""The audit as one HTML file: every number with its formula and derivation, and the run itself."""
