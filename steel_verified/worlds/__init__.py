"""Worlds to learn, and the driver that lets STEEL learn them."""
