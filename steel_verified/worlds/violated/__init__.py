"""Small random worlds in which exactly one condition of the guarantee does not hold."""
