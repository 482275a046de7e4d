"""The Proposition about CycleFind: finding the period, collecting and identifying positions."""
