"""ExoRL (Efroni et al. 2022) on bits: OSSR finds the controllable factors, ExoPSDP plans.

The setting is episodic with H layers. An observation is a list of d factors, and an unknown set of
at most k of them is controllable: its next values depend on these factors and the action alone, and
the other factors move by themselves. Transitions and the start of an episode may be random. OSSR
finds for each layer a small set of policies, a cover, that reach every controllable state about as
well as possible, and of which each sees controllable factors only. The idea: a policy that sees few
factors does as well as any other only if it sees controllable ones.

What differs from the publication:
- Factors are bits, d ≤ 16 and k ≤ 3. Policies are never enumerated: the best action is found for
  each value of the factors that a policy sees.
- With known laws (`exact`) all chances are fractions, and nothing is tolerated. With samples, the
  number of episodes and the tolerance are chosen freely: the published count has a constant that is
  not given (`counts`).
- ExoPSDP finds a policy for a reward (`psdp`). Table 1 has no rewards: for it the transitions of
  the factors found are counted instead.
"""
