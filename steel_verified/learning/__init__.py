"""The algorithm: it asks for plans to be run, is told what came of them, never holds a world."""
