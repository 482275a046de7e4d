"""What was learned, in use: encode, plan, follow, save, export and check."""
