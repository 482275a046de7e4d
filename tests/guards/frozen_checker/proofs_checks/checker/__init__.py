"""An independent checker of certificates. It uses only the standard library, not steel_verified.

Read `looped/rules.py` first, and `located/following.py` for located runs. CERTIFICATE.md lists the
changes to a file that the checker cannot notice (with a new digest), and why they do no harm.

Limits: the checker reads regular files of at most 16 MB (`files.LARGEST_FILE`). It does at most 20
steps of work per byte (`planning.STEPS_PER_BYTE`; more for located runs with many states), which
takes a few seconds per MB. It reports a file that needs more work as malformed.
"""
