"""Ways to check a statement. Each gives evidence of a strength, or refuses."""
