"""Hypothesis strategies for the things that this package is about (extra `strategies`)."""

from steel_verified.strategies.parameters import extents, parameters, probabilities, recipes

__all__ = ["extents", "parameters", "probabilities", "recipes"]
