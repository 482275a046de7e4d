"""A small proof checker for statements about all integers, with functions nobody knows more about.

A proof is text: hypotheses, definitions, and lemmas, each with the instances it follows from. What
the checker does by itself is equality, linear arithmetic and case distinction; where it cannot
close a case it refuses, and shows the case.
"""
