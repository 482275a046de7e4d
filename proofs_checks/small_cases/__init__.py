"""Enumerates all small worlds, chains and runs up to a size."""
