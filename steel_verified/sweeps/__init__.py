"""Many jobs as one study, carried out in any order and on any number of workers."""
