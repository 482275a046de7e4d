"""Formulas as values: written once, shown as text and MathML, evaluated by the audit page."""
