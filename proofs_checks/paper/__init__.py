"""The claims of the paper, part by part, each module a tuple CLAIMS."""
