"""Formulas as values: defined once, shown as text and MathML, evaluated by the audit page."""
