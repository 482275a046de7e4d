"""Lemma 2: the chance that a classifier fits many samples that it should not fit.

Everything is shown for g: E → [0, 1], the chance that f is 1 on an observation of e, and not only
for f: E → {0, 1}: so the Lemma covers f(x) with x ~ Q(s, e), which is how it is used. Γ multiplies
by g. As g + r = 1 with g, r ≥ 0, and as a measure with integral 0 is d⁺ − d⁻ with d⁺, d⁻ ≥ 0 and
Σd⁺ = Σd⁻ = ½‖d‖₁, an inequality in every term holds for sums of any length, and for integrals.
"""
