"""An independent checker of certificates: standard library only, nothing of steel_verified.

Read `looped/rules.py` first, and `located/following.py` for located runs. CERTIFICATE.md says what
may be changed in a file without being noticed (a new digest given), and why it does no harm.

Limits: a file is regular, has at most 16 MB (`files.LARGEST_FILE`), and takes at most 20 steps of
work for each of its bytes (`planning.STEPS_PER_BYTE`; more for located runs with many states): a
few seconds for each MB. A file that would take more is refused as malformed.
"""
