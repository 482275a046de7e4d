"""The main text. What restates the appendix is checked as it is worded in the main text.

The table of earlier works (l. 115-127, M39) is left out: its check marks are no mathematics.
"""
