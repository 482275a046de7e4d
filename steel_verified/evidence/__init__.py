"""What a run leaves behind: a ledger that is written by what happens, and a certificate from it."""
