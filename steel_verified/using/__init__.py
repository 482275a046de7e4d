"""Using a learned model: encode, plan, follow, save, export and check."""
