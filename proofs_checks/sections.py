"""The parts of the paper in which claims stand, in the order of the paper."""

from __future__ import annotations

from typing import Final

from proofs_checks.entries import Section

INTRODUCTION: Final = Section("Introduction")
RELATED: Final = Section("Related work")
NOTATION: Final = Section("Notation and assumptions")
OVERVIEW: Final = Section("Overview of the algorithm")
EXPERIMENTS: Final = Section("Simulation experiments")
SIMULATIONS: Final = Section("Table of simulations")
LIMITATIONS: Final = Section("Limitations")

LISTING_OF_STEEL: Final = Section("Listing of STEEL")
LISTING_OF_CYCLE_FIND: Final = Section("Listing of CycleFind")

CYCLE_FIND: Final = Section("CycleFind")
PERIOD: Final = Section("CycleFind: finding the period")
COLLECTING: Final = Section("Collecting positions")
IDENTIFYING: Final = Section("Identifying states")
PHASE_1: Final = Section("STEEL phase 1")
PHASE_2: Final = Section("STEEL phase 2")
PHASE_3: Final = Section("STEEL phase 3")
TOTALS: Final = Section("totals")
LEMMA_1: Final = Section("Lemma 1")
LEMMA_2: Final = Section("Lemma 2")
LEMMA_2_CLOSING: Final = Section("Lemma 2, closing")

MIXING_TIMES: Final = Section("Mixing times of the examples")
REACHABILITY: Final = Section("Necessity of reachability")
MIXING_BOUND: Final = Section("Necessity of a bound on the mixing time")
AC_STATE: Final = Section("AC-State")
PRIME_LOOPS: Final = Section("Prime loops")
LOOPS_TABLE: Final = Section("Table of prime loops")
EXPLORATION: Final = Section("Exploration")
LOOPS_TABLES: Final = Section("Tables of prime loops")
