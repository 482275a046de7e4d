"""ExoRL (Efroni et al. 2022) on bits: OSSR finds the controllable factors, ExoPSDP plans.

The setting is episodic with H layers. An observation is a list of d factors, and an unknown set of
at most k of them is controllable: its next values depend only on these factors and the action. The
other factors evolve independently of actions. Transitions and the start of an episode may be
random. For each layer, OSSR finds a cover: a small set of policies that reach every controllable
state about as well as possible, and each of which reads controllable factors only. The idea: among
policies that read few factors, only those that read controllable factors do as well as any policy.

Differences from the publication:
- Factors are bits, d ≤ 16 and k ≤ 3. Policies are never enumerated: the best action is found for
  each value of the factors that a policy reads.
- With known distributions (`exact`) all probabilities are fractions, and the tolerance is 0. With
  samples, the number of episodes and the tolerance are chosen freely: the published count contains
  an unspecified constant.
- ExoPSDP finds a policy for a reward (`exo_psdp`). Table 1 has no rewards, so for it the
  transitions of the selected factors are counted instead.
"""
