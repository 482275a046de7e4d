"""Methods with which STEEL is compared, each in its own folder."""
