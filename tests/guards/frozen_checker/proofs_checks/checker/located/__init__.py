"""The rules for runs of located STEEL. Their record contains every observation that was used."""
