"""The claims of the paper, section by section, each file a tuple CLAIMS."""
