"""Methods that STEEL is compared with, each in a folder of its own."""
