"""The paper's lemmas on Markov chains, for any finite number of states, as proofs to be replayed.

Sums run through a finite set of any size. For an infinite set of exogenous states the same steps
hold for measures of finite total variation, whose sums and integrals may be exchanged.
"""
