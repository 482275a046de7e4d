"""Multistep-inverse methods, which STEEL is compared with: AC-State and ACDF."""
