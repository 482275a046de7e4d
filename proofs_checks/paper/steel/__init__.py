"""The phases of STEEL, and what they add up to."""
