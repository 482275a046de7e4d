"""Results of our own that are sharper than the paper's: entries as data, checks beside them."""
