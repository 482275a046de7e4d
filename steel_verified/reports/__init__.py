"""What a person or a program reads: pure functions from values to tables and text."""
