"""Phase 2: a closed walk through the states that need samples, and what it collects."""

from __future__ import annotations

from typing import Final

from proofs_checks.methods.deduction.theories import (
    Apply,
    Assume,
    Indicator,
    Least,
    Lemma,
    Let,
    Recursion,
    Theory,
)
from proofs_checks.theories.exploring import CONNECTED
from proofs_checks.theories.injections import GROWING, INJECTIONS
from proofs_checks.theories.looped_words import LOOPED_WORDS

DIAMETER: Final = Theory(
    "Shortest ways",
    "S, d, x(i), far(u)",
    (
        # x(0), …, x(d) is a shortest way, far(u) the distance from u to its end.
        Assume("sizes", "", "", "d >= 0"),
        Assume("states", "i", "0 <= i <= d", "0 <= x(i) < S"),
        Assume("start", "", "", "far(x(0)) == d"),
        Assume("end", "", "", "far(x(d)) == 0"),
        Assume("one_step", "i", "0 <= i < d", "far(x(i)) <= far(x(i + 1)) + 1"),
        Lemma(
            "at_least",
            "i",
            "0 <= i <= d",
            "far(x(i)) >= d - i",
            by="start(), one_step(i - 1), at_least(i - 1)",
            induction="i",
        ),
        Lemma(
            "nearer",
            "i",
            "0 <= i <= d",
            "far(x(i)) <= d - i",
            by="end(), one_step(i), nearer(i + 1)",
            induction="d - i",
        ),
        Lemma(
            "distinct",
            "i, j",
            "0 <= i < j <= d",
            "x(i) != x(j)",
            by="at_least(i), at_least(j), nearer(i), nearer(j)",
        ),
        Apply(
            "few",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := d + 1; q := S; X(u) := 1; Y(u) := 1; f(u) := x(u); A(k) := k; B(k) := k",
            (
                ("sizes", "sizes(), states(0)"),
                ("into", "states(u)"),
                ("injective", "distinct(u, v)"),
            ),
        ),
        Lemma("M04", "N", "S <= N", "d <= S - 1, d <= N - 1", by="few()"),
    ),
)

TOURING: Final = Theory(
    "Tours",
    "S, A, D, T(u, b), dist(u, v), act(i, u, v), K, pos(k), wanted(u), leg(u), offset(u), bar(i)",
    (
        Assume("sizes", "", "", "S >= 1, A >= 1, D >= 0, K >= 0"),
        Assume("closed_under", "u, b", "0 <= u < S, 0 <= b < A", "0 <= T(u, b) < S"),
        *CONNECTED,
        # From home = pos(0), K legs lead to pos(1), …, pos(K), each a state not yet visited.
        Assume("stops", "k", "0 <= k <= K", "0 <= pos(k) < S"),
        Assume("unvisited", "j, k", "0 <= j < k <= K", "pos(j) != pos(k)"),
        Recursion("len(k)", "0", "len(k) + dist(pos(k), pos(k + 1))"),
        # bar is the word ā: what each leg does, one after the other, and then the way home.
        Assume(
            "legs",
            "k, i",
            "0 <= k < K, 0 <= i < dist(pos(k), pos(k + 1))",
            "bar(len(k) + i) == act(i, pos(k), pos(k + 1))",
        ),
        Assume(
            "way_home",
            "i",
            "0 <= i < dist(pos(K), pos(0))",
            "bar(len(K) + i) == act(i, pos(K), pos(0))",
        ),
        # When no state of C is missing, each is home or lies on some leg; wanted(u) is 1 for those of C.
        Assume(
            "none_missing",
            "u",
            "wanted(u) == 1, u != pos(0)",
            "0 <= leg(u) < K, 0 <= offset(u) <= dist(pos(leg(u)), pos(leg(u) + 1)),"
            " at(offset(u), pos(leg(u)), pos(leg(u) + 1)) == u",
        ),
        Lemma(
            "lengths",
            "k",
            "0 <= k <= K",
            "0 <= len(k) <= k * D",
            by="len_start(), len_next(k - 1), stops(k - 1), stops(k), connected(pos(k - 1), pos(k)),"
            " lengths(k - 1)",
            induction="k",
        ),
        Apply(
            "few_legs",
            "",
            "",
            INJECTIONS,
            "pigeonhole",
            "p := K + 1; q := S; X(u) := 1; Y(u) := 1; f(u) := pos(u); A(k) := k; B(k) := k",
            (
                ("sizes", "sizes()"),
                ("into", "stops(u)"),
                ("injective", "unvisited(u, v)"),
            ),
        ),
        Lemma(
            "D03",
            "",
            "",
            "0 <= len(K) + dist(pos(K), pos(0)) <= S * D",
            by="sizes(), few_legs(), lengths(K), stops(K), stops(0), connected(pos(K), pos(0)),"
            " product(S - 1 - K, D)",
        ),
        Recursion("p(i)", "pos(0)", "T(p(i), bar(i))"),
        Lemma(
            "on_leg",
            "k, i",
            "0 <= k < K, 0 <= i <= dist(pos(k), pos(k + 1)), p(len(k)) == pos(k)",
            "p(len(k) + i) == at(i, pos(k), pos(k + 1))",
            by="at_start(pos(k), pos(k + 1)), at_next(i - 1, pos(k), pos(k + 1)), legs(k, i - 1),"
            " lengths(k), p_next(len(k) + i - 1), on_leg(k, i - 1)",
            induction="i",
        ),
        Lemma(
            "at_stop",
            "k",
            "0 <= k <= K",
            "p(len(k)) == pos(k)",
            by="len_start(), p_start(), len_next(k - 1), stops(k - 1), stops(k),"
            " connected(pos(k - 1), pos(k)), on_leg(k - 1, dist(pos(k - 1), pos(k))), at_stop(k - 1)",
            induction="k",
        ),
        Lemma(
            "homewards",
            "i",
            "0 <= i <= dist(pos(K), pos(0))",
            "p(len(K) + i) == at(i, pos(K), pos(0))",
            by="sizes(), at_stop(K), at_start(pos(K), pos(0)), at_next(i - 1, pos(K), pos(0)),"
            " way_home(i - 1), lengths(K), p_next(len(K) + i - 1), homewards(i - 1)",
            induction="i",
        ),
        Lemma(
            "D02",
            "",
            "",
            "p(len(K) + dist(pos(K), pos(0))) == pos(0)",
            by="sizes(), stops(0), stops(K), connected(pos(K), pos(0)),"
            " homewards(dist(pos(K), pos(0)))",
        ),
        Lemma(
            "monotone",
            "k",
            "0 <= k <= K",
            "len(k) <= len(K)",
            by="len_next(k), stops(k), stops(k + 1), connected(pos(k), pos(k + 1)), monotone(k + 1)",
            induction="K - k",
        ),
        Lemma(
            "D02_visits",
            "u",
            "wanted(u) == 1, u != pos(0)",
            "0 <= len(leg(u)) + offset(u) <= len(K) + dist(pos(K), pos(0)),"
            " p(len(leg(u)) + offset(u)) == u",
            by="sizes(), none_missing(u), at_stop(leg(u)), on_leg(leg(u), offset(u)), lengths(leg(u)),"
            " len_next(leg(u)), monotone(leg(u) + 1), stops(0), stops(K), connected(pos(K), pos(0))",
        ),
        Lemma(
            "D04",
            "u, b",
            "0 <= u < S, 0 <= b < A",
            "1 <= 1 + dist(T(u, b), u) <= D + 1, at(dist(T(u, b), u), T(u, b), u) == u",
            by="closed_under(u, b), connected(T(u, b), u)",
        ),
    ),
)

LENGTHENING: Final = Theory(
    "Lengthened tours",
    "S, D, t, n, l, where, p(i), q(i), loop(i), T(u, b), bar(i), longer(i), letter(i)",
    (
        # A tour of n steps through p(0), …, p(n) = p(0); at p(where), a self-loop of l steps.
        Assume("tour", "", "", "0 <= n <= S * D, t >= 0, 0 <= where <= n"),
        Assume("closed", "", "", "p(n) == p(0)"),
        Assume("self_loop", "", "", "1 <= l <= D + 1"),
        Assume("returns", "", "", "loop(0) == p(where), loop(l) == p(where)"),
        Least("times", "", "g", "n + g * l >= t", "t", by="tour(), self_loop(), product(t, l - 1)"),
        Lemma(
            "D01",
            "",
            "",
            "n + times * l >= t, n + times * l <= S * D or n + times * l <= t + D",
            by="tour(), self_loop(), times_holds(), times_least(times - 1), times_least(0),"
            " product(times, l)",
        ),
        # q is the walk with the self-loop gone round `times` times.
        Assume("as_before", "i", "0 <= i <= where", "q(i) == p(i)"),
        Assume("moves", "i", "i >= 0", "p(i + 1) == T(p(i), bar(i))"),
        Assume("moves_longer", "i", "i >= 0", "q(i + 1) == T(q(i), longer(i))"),
        Assume(
            "rounds",
            "g, i",
            "0 <= g < times, 0 <= i < l",
            "longer(where + g * l + i) == letter(i), loop(i + 1) == T(loop(i), letter(i))",
        ),
        Assume(
            "then", "i", "0 <= i < n - where", "longer(where + times * l + i) == bar(where + i)"
        ),
        Lemma(
            "on_loop",
            "g, i",
            "0 <= g < times, 0 <= i <= l, q(where + g * l) == p(where)",
            "q(where + g * l + i) == loop(i)",
            by="tour(), self_loop(), returns(), rounds(g, i - 1), moves_longer(where + g * l + i - 1),"
            " product(g, l), on_loop(g, i - 1)",
            induction="i",
        ),
        Lemma(
            "after_loops",
            "g",
            "0 <= g <= times",
            "q(where + g * l) == p(where)",
            by="tour(), self_loop(), returns(), as_before(where), on_loop(g - 1, l), after_loops(g - 1)",
            induction="g",
        ),
        Lemma(
            "loops_fit",
            "",
            "",
            "times >= 0, times * l >= 0",
            by="self_loop(), times_holds(), product(times, l)",
        ),
        Lemma(
            "as_after",
            "i",
            "0 <= i <= n - where",
            "q(where + times * l + i) == p(where + i)",
            by="tour(), loops_fit(), after_loops(times), then(i - 1), moves(where + i - 1),"
            " moves_longer(where + times * l + i - 1), as_after(i - 1)",
            induction="i",
        ),
        Lemma(
            "still_closed",
            "",
            "",
            "q(n + times * l) == q(0)",
            by="tour(), closed(), as_after(n - where), as_before(0)",
        ),
        Lemma(
            "still_visits",
            "i",
            "0 <= i <= n",
            "(i <= where and q(i) == p(i)) or (i > where and q(i + times * l) == p(i))",
            by="as_before(i), as_after(i - where)",
        ),
    ),
)

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
            by="needed(), some(last), grown(r - 1, n - 1, last), one_more(r - 1, last), counted(r - 1)",
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
            by="long_enough(l - 1), one_after_another(l - 1), product(1 + passes(l - 1), size(l - 1)),"
            " later_plans(k, l - 1)",
            induction="l",
        ),
        Lemma(
            "between_phases",
            "j, k, r",
            "0 <= j < n, 0 <= k < plans, 0 <= r < passes(k)",
            "at(k, r) >= x(j) + t",
            by="times(), over(j), later_plans(0, k), long_enough(k), at_is(k, r), product(r, size(k))",
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
