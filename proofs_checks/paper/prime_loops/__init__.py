"""Prime loops, and what multistep-inverse methods can and cannot learn of them."""
