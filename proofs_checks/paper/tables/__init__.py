"""The paper's tables: that they agree with themselves, with the bounds, and with predicted runs."""
