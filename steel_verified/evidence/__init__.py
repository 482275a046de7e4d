"""The record of a run: a ledger written while the run proceeds, and the certificate made of it."""
