"""Why reachability and a known bound on the mixing time are needed."""
