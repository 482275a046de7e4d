"""The rules for runs of located STEEL, whose record holds every observation that was used."""
