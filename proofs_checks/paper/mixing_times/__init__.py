"""How fast the noise of the two examples mixes."""
