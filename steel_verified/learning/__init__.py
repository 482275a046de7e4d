"""The algorithms: they request plans and receive observations, without access to the world."""
