"""Studies of many jobs, which run in any order and on any number of workers."""
