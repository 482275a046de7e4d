"""What a run leaves behind: a certificate that anyone can recheck."""
