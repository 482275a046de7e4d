"""What verdicts and classifiers decide, and that right decisions do not depend on the noise."""

from __future__ import annotations

from typing import Final

from proofs_checks.kernels.deduction.statements import Assume, Least, Lemma, Let, Recursion, Theory

PERIODS: Final = Theory(
    "The loop over periods",
    "N, c, passes(n)",
    (
        Assume("sizes", "", "", "1 <= c <= N"),
        # n' = N, N − 1, … until a test passes, or 1 is all that remains.
        Least("skipped", "", "k", "passes(N - k) == 1 or N - k <= 1", "N - 1", by="sizes()"),
        Let("reported", "N - skipped"),
        Lemma(
            "M16",
            "n",
            "reported < n <= N",
            "passes(n) != 1, n >= 2, reported >= 1, passes(reported) == 1 or reported == 1",
            by="sizes(), reported_is(), skipped_holds(), skipped_least(N - n), skipped_least(N -"
            " 1)",
        ),
        Assume("no_false_negative", "", "c >= 2", "passes(c) == 1"),
        Lemma(
            "at_least",
            "",
            "",
            "c <= reported <= N",
            by="sizes(), reported_is(), skipped_holds(), skipped_least(N - c), no_false_negative()",
        ),
        Lemma(
            "A13",
            "n",
            "",
            "c <= reported, implies(reported == c and c < n <= N, passes(n) != 1),"
            " reported == c or (c < reported <= N and passes(reported) == 1)",
            by="sizes(), at_least(), M16(n), reported_is(), skipped_holds()",
        ),
    ),
)

TESTS: Final = Theory(
    "A test",
    "f(h, i), side(i), size, best, some",
    (
        # Sample i belongs to D_side(i); the classifier h errs where it gives anything else.
        Assume("sides", "i", "", "side(i) == 0 or side(i) == 1"),
        Assume("values", "h, i", "", "f(h, i) == 0 or f(h, i) == 1"),
        Let("err(h, i)", "f(h, i) + side(i) - 2 * f(h, i) * side(i)"),
        Recursion("errors(n, h)", "0", "errors(n, h) + err(h, n)"),
        Lemma(
            "errs",
            "h, i",
            "",
            "(f(h, i) == side(i) and err(h, i) == 0) or (f(h, i) != side(i) and err(h, i) == 1)",
            by="sides(i), values(h, i), err_is(h, i), product(f(h, i) - 1, side(i)),"
            " product(f(h, i), side(i) - 1)",
        ),
        Lemma(
            "none_negative",
            "n, h",
            "n >= 0",
            "errors(n, h) >= 0",
            by="errors_start(h), errors_next(n - 1, h), errs(h, n - 1), none_negative(n - 1, h)",
            induction="n",
        ),
        Lemma(
            "passed",
            "n, h, i",
            "0 <= i < n, errors(n, h) == 0",
            "f(h, i) == side(i)",
            by="errors_next(n - 1, h), errs(h, n - 1), none_negative(n - 1, h),"
            " passed(n - 1, h, i)",
            induction="n",
        ),
        Least("wrong(n, h)", "n >= 0", "i", "f(h, i) != side(i) or i >= n", "n"),
        Lemma(
            "failed",
            "n, h",
            "n >= 0, errors(n, h) >= 1",
            "0 <= wrong(n, h) < n, f(h, wrong(n, h)) != side(wrong(n, h))",
            by="errors_start(h), errors_next(n - 1, h), errs(h, n - 1), wrong_holds(n, h),"
            " wrong_holds(n - 1, h), wrong_least(n, h, n - 1), wrong_least(n, h, wrong(n - 1, h)),"
            " failed(n - 1, h)",
            induction="n",
        ),
        # Of the classifiers of F, one separates, and none has a smaller loss than best.
        Assume("separates", "i", "0 <= i < size", "f(some, i) == side(i)"),
        Assume("least_loss", "h", "", "size >= 0, errors(size, best) <= errors(size, h)"),
        Lemma(
            "M09",
            "i",
            "0 <= i < size",
            "f(best, i) == side(i)",
            by="least_loss(some), failed(size, some), separates(wrong(size, some)),"
            " none_negative(size, best), passed(size, best, i)",
        ),
    ),
)

CLASSIFIERS: Final = Theory(
    "Classifiers",
    "S, phi(x), f(u, x), zero(i), one(i), u0, u1, best(x), chosen(u), some(u), g(u, x)",
    (
        # Realizability: f(u, x) = 1[φ*(x) = u] is in F for every state u.
        Assume(
            "realizable",
            "u, x",
            "",
            "(f(u, x) == 1 and phi(x) == u) or (f(u, x) == 0 and phi(x) != u)",
        ),
        Assume("two_states", "", "", "u0 != u1"),
        Assume("zeros", "i", "i >= 0", "phi(zero(i)) == u0"),
        Assume("ones", "i", "i >= 0", "phi(one(i)) == u1"),
        Lemma(
            "B14",
            "i, j",
            "i >= 0, j >= 0",
            "f(u1, zero(i)) == 0, f(u1, one(j)) == 1",
            by="two_states(), zeros(i), ones(j), realizable(u1, zero(i)), realizable(u1, one(j))",
        ),
        # argmax: no classifier has a larger value than that of best(x).
        Assume("states", "x", "", "0 <= phi(x) < S"),
        Assume("argmax", "u, x", "0 <= u < S", "0 <= best(x) < S, f(best(x), x) >= f(u, x)"),
        Lemma(
            "M27",
            "x",
            "",
            "best(x) == phi(x)",
            by="states(x), argmax(phi(x), x), realizable(phi(x), x), realizable(best(x), x)",
        ),
        # Training on D(u) gives a classifier of F = {f(u, ·)} that is right on some(u) ∈ D(u).
        Assume("trained", "u, x", "0 <= u < S", "g(u, x) == f(chosen(u), x)"),
        Assume("no_error", "u", "0 <= u < S", "phi(some(u)) == u, g(u, some(u)) == 1"),
        Lemma(
            "P10",
            "u, x",
            "0 <= u < S",
            "g(u, x) == f(u, x), best(x) == phi(x)",
            by="trained(u, x), trained(u, some(u)), no_error(u), realizable(chosen(u), some(u)),"
            " M27(x)",
        ),
    ),
)

DETERMINED: Final = Theory(
    "Decisions",
    "decides(k, h), right(k, h), follow(k, h, b)",
    (
        # h stands for all decisions so far; right(k, h) is what T, s_0 and parameters determine.
        Recursion("real(k)", "0", "follow(k, real(k), decides(k, real(k)))"),
        Recursion("ideal(k)", "0", "follow(k, ideal(k), right(k, ideal(k)))"),
        # The first round that errs on the data of the determined run, or n.
        Least(
            "erring(n)", "n >= 0", "k", "decides(k, ideal(k)) != right(k, ideal(k)) or k >= n", "n"
        ),
        Lemma(
            "same_until",
            "n, k",
            "0 <= k <= erring(n), n >= 0",
            "real(k) == ideal(k)",
            by="real_start(), ideal_start(), real_next(k - 1), ideal_next(k - 1),"
            " erring_least(n, k - 1), same_until(n, k - 1)",
            induction="k",
        ),
        Lemma(
            "A01_covered",
            "n, k",
            "0 <= k < n, erring(n) >= n",
            "decides(k, real(k)) == right(k, ideal(k))",
            by="same_until(n, k), erring_least(n, k)",
        ),
        Lemma(
            "A01_exactly",
            "n",
            "n >= 0, erring(n) < n",
            "decides(erring(n), real(erring(n))) != right(erring(n), ideal(erring(n)))",
            by="erring_holds(n), same_until(n, erring(n))",
        ),
    ),
)

OPEN_LOOP: Final = Theory(
    "Words of the ideal run",
    "start, first, plan(h), learn(h, s, w), end(s, w), word(o, k), model(o, k), state(o, k)",
    (
        # o is an outcome of the noise. With right verdicts, a call adds what T says of the loop.
        Assume("begins", "o", "", "model(o, 0) == 0, state(o, 0) == start, word(o, 0) == first"),
        Assume(
            "calls",
            "o, k",
            "k >= 0",
            "model(o, k + 1) == learn(model(o, k), state(o, k), word(o, k)),"
            " state(o, k + 1) == end(state(o, k), word(o, k)),"
            " word(o, k + 1) == plan(model(o, k + 1))",
        ),
        Lemma(
            "C10",
            "o, p, k",
            "k >= 0",
            "model(o, k) == model(p, k), state(o, k) == state(p, k), word(o, k) == word(p, k)",
            by="begins(o), begins(p), calls(o, k - 1), calls(p, k - 1), C10(o, p, k - 1)",
            induction="k",
        ),
    ),
)
