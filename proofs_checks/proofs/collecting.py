"""Phase 2: what the passes through a closed walk collect, how many they are, and the gaps."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
    Theory,
)
from proofs_checks.proofs.injections import GROWING
from proofs_checks.proofs.looped_words import LOOPED_WORDS

PASSES: Final = Theory(
    "Passes",
    f"{LOOPED_WORDS.symbols}, meets(u), visited(u)",
    (
        *LOOPED_WORDS.steps,
        # The word is a closed walk, and visited(u) is 1 where it arrives, first at meets(u).
        Assume("closed", "", "", "s(L) == s(0)"),
        Assume("arrives", "u", "visited(u) == 1", "1 <= meets(u) <= L, s(meets(u)) == u"),
        Lemma(
            "same_pass",
            "k, i",
            "k >= 0, i >= 0",
            "s(k * L + i) == s(i)",
            by="sizes(), closed(), follow(0, 1, 0, (k - 1) * L + i), product(k - 1, L),"
            " same_pass(k - 1, i)",
            induction="k",
        ),
        Least(
            "kept(k, u)",
            "k >= 0, visited(u) == 1",
            "i",
            "i >= 1 and s(k * L + i) == u",
            "meets(u)",
            by="arrives(u), same_pass(k, meets(u))",
        ),
        Lemma(
            "P09",
            "k, u",
            "k >= 0, visited(u) == 1",
            "kept(k, u) == kept(0, u), 1 <= kept(k, u) <= L,"
            " ((k + 1) * L + kept(k + 1, u)) - (k * L + kept(k, u)) == L",
            by="sizes(), arrives(u), kept_holds(k, u), kept_holds(0, u), kept_holds(k + 1, u),"
            " same_pass(k, kept(0, u)), same_pass(k, kept(k, u)), same_pass(k + 1, kept(0, u)),"
            " same_pass(k + 1, kept(k + 1, u)), kept_least(k, u, kept(0, u)),"
            " kept_least(0, u, kept(k, u)), kept_least(k + 1, u, kept(0, u)),"
            " kept_least(0, u, kept(k + 1, u)), same_pass(0, meets(u)), kept_least(0, u, meets(u))",
        ),
    ),
)

COLLECTING: Final = Theory(
    "Phase 2",
    "S, d, n, plans, most, have(r, u), last, done(k), full(k), size(r), silent(k)",
    (
        # have(r, u): samples of u after r collecting passes; every pass adds one to all that lack.
        Assume("sizes", "", "", "S >= 1, d >= 1, n >= 0, plans >= 0, most >= 0"),
        Assume("some", "u", "0 <= u < S", "have(0, u) >= 1"),
        Assume("never_less", "r, u", "0 <= r < n, 0 <= u < S", "have(r + 1, u) >= have(r, u)"),
        Assume(
            "one_more",
            "r, u",
            "0 <= r < n, 0 <= u < S, have(r, u) < d",
            "have(r + 1, u) >= have(r, u) + 1",
        ),
        # The last pass is made because of some state.
        Assume("needed", "", "n >= 1", "0 <= last < S, have(n - 1, last) < d"),
        # Plan k begins after done(k) passes, and ends since full(k), which it was for, has enough.
        Assume("planned", "k", "0 <= k <= plans", "0 <= done(k) <= n"),
        Assume(
            "replanned",
            "k",
            "0 <= k < plans",
            "done(k) <= done(k + 1), 0 <= full(k) < S, have(done(k), full(k)) < d,"
            " have(done(k + 1), full(k)) >= d",
        ),
        Lemma(
            "grown",
            "q, r, u",
            "0 <= q <= r <= n, 0 <= u < S",
            "have(q, u) <= have(r, u)",
            by="never_less(r - 1, u), grown(q, r - 1, u)",
            induction="r",
        ),
        Lemma(
            "counted",
            "r",
            "n >= 1, 0 <= r <= n - 1",
            "have(r, last) >= 1 + r",
            by="needed(), some(last), grown(r - 1, n - 1, last), one_more(r - 1, last), counted(r"
            " - 1)",
            induction="r",
        ),
        Lemma("passes", "", "", "n <= d - 1", by="sizes(), needed(), counted(n - 1)"),
        Indicator("enough(k, u)", "have(done(k), u) >= d"),
        Lemma(
            "stays_enough",
            "k, u",
            "0 <= k < plans, 0 <= u < S, enough(k, u) == 1",
            "enough(k + 1, u) == 1",
            by="planned(k), planned(k + 1), replanned(k), grown(done(k), done(k + 1), u),"
            " enough_is(k, u), enough_is(k + 1, u)",
        ),
        Apply(
            "P06",
            "",
            "",
            GROWING,
            "at_most",
            "n := plans; m := S; X(k, u) := enough(k, u); fresh(k) := full(k)",
            (
                ("sizes", "sizes()"),
                ("grows", "stays_enough(k, u)"),
                ("gains", "replanned(k), enough_is(k, full(k)), enough_is(k + 1, full(k))"),
            ),
        ),
        # The steps of collecting pass r, and of the silent pass with which plan k begins.
        Assume("short", "r", "0 <= r < n", "size(r) <= most"),
        Assume("short_too", "k", "0 <= k < plans", "silent(k) <= most"),
        Recursion("steps(r)", "0", "steps(r) + size(r)"),
        Recursion("waits(k)", "0", "waits(k) + silent(k)"),
        Lemma(
            "steps_bound",
            "r",
            "0 <= r <= n",
            "steps(r) <= r * most",
            by="steps_start(), steps_next(r - 1), short(r - 1), steps_bound(r - 1)",
            induction="r",
        ),
        Lemma(
            "waits_bound",
            "k",
            "0 <= k <= plans",
            "waits(k) <= k * most",
            by="waits_start(), waits_next(k - 1), short_too(k - 1), waits_bound(k - 1)",
            induction="k",
        ),
        Lemma(
            "D10",
            "",
            "",
            "steps(n) + waits(plans) <= (d - 1 + S) * most",
            by="sizes(), passes(), P06(), steps_bound(n), waits_bound(plans),"
            " product(d - 1 + S - n - plans, most)",
        ),
    ),
)

TOGETHER: Final = Theory(
    "One plan",
    "S, c, d, n, have(r, u)",
    (
        # All begin alike, and a tour through all states adds one to each.
        Assume("alike", "u", "0 <= u < S", "have(0, u) == c"),
        Assume("each_pass", "r, u", "0 <= r < n, 0 <= u < S", "have(r + 1, u) == have(r, u) + 1"),
        Lemma(
            "in_step",
            "r, u",
            "0 <= r <= n, 0 <= u < S",
            "have(r, u) == c + r",
            by="alike(u), each_pass(r - 1, u), in_step(r - 1, u)",
            induction="r",
        ),
        Lemma(
            "S_D09",
            "r, u, v",
            "0 <= r <= n, 0 <= u < S, 0 <= v < S",
            "iff(have(r, u) >= d, have(r, v) >= d)",
            by="in_step(r, u), in_step(r, v)",
        ),
    ),
)

GAPS: Final = Theory(
    "Gaps",
    "t, n, x(j), plans, begin(k), size(k), passes(k), offset(k)",
    (
        # Phase 1 samples a state at x(0), …, x(n − 1); then plan k begins at begin(k), and after a
        # silent pass samples it at offset(k) in each of passes(k) passes of size(k) steps.
        Assume("spaced", "j", "0 <= j < n - 1", "x(j + 1) >= x(j) + t"),
        Assume("over", "j", "0 <= j < n", "x(j) <= begin(0)"),
        Assume("times", "", "", "t >= 0, plans >= 0"),
        Assume(
            "long_enough",
            "k",
            "0 <= k < plans",
            "size(k) >= t, size(k) >= 0, passes(k) >= 0, 1 <= offset(k) <= size(k)",
        ),
        Assume(
            "one_after_another",
            "k",
            "0 <= k < plans",
            "begin(k + 1) == begin(k) + (1 + passes(k)) * size(k)",
        ),
        Lemma(
            "within_phase_1",
            "i, j",
            "0 <= i < j < n",
            "x(j) >= x(i) + t",
            by="times(), spaced(j - 1), within_phase_1(i, j - 1)",
            induction="j",
        ),
        Let("at(k, r)", "begin(k) + (1 + r) * size(k) + offset(k)"),
        Lemma(
            "later_plans",
            "k, l",
            "0 <= k <= l <= plans",
            "begin(k) <= begin(l)",
            by="long_enough(l - 1), one_after_another(l - 1), product(1 + passes(l - 1), size(l -"
            " 1)), later_plans(k, l - 1)",
            induction="l",
        ),
        Lemma(
            "between_phases",
            "j, k, r",
            "0 <= j < n, 0 <= k < plans, 0 <= r < passes(k)",
            "at(k, r) >= x(j) + t",
            by="times(), over(j), later_plans(0, k), long_enough(k), at_is(k, r), product(r,"
            " size(k))",
        ),
        Lemma(
            "within_plan",
            "k, q, r",
            "0 <= k < plans, 0 <= q < r < passes(k)",
            "at(k, r) >= at(k, q) + t",
            by="long_enough(k), at_is(k, q), at_is(k, r), product(r - q - 1, size(k))",
        ),
        Lemma(
            "between_plans",
            "k, l, q, r",
            "0 <= k < l < plans, 0 <= q < passes(k), 0 <= r < passes(l)",
            "at(l, r) >= at(k, q) + t",
            by="times(), long_enough(k), long_enough(l), at_is(k, q), at_is(l, r),"
            " one_after_another(k), later_plans(k + 1, l), product(passes(k) - 1 - q, size(k)),"
            " product(r, size(l))",
        ),
    ),
)
