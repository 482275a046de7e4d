"""An independent checker of certificates. It uses only the standard library, not steel_verified.

Read `looped` first, and `located` for located runs; `judging` chooses between them. `reading` has
the limits and what both share, `formulas` the numbers, `planning` the searches, `classes` and
`half_spaces` decide what can be separated. certificate.md lists the changes to a file that the
checker cannot notice (with a new digest), and why they do no harm.
"""
