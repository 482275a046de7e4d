"""Output for people and programs: pure functions that turn results into tables, text and JSON."""
