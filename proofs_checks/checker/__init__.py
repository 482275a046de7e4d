"""An independent checker of certificates: standard library only, nothing of steel_verified.

Read `rules.py` first. What no recomputation can see, and what therefore may be changed in a file
without being noticed (a new digest given): `provenance` and `assumptions`, which are said for
people; which classifiers the oracle chose, as that follows from observations; and a bound (such as
D̂, δ or ε) for one that asks for exactly the same run and charges, for which the certificate is then
just as good.

Limits: a file is regular, has at most 16 MB (`files.LARGEST_FILE`), and takes at most 20 steps of
work for each of its bytes (`planning.STEPS_PER_BYTE`): a few seconds for each MB. A file that would
take more is refused as malformed.
"""
