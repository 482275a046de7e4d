"""The main text. What restates the appendix is checked as it is worded in the main text."""
