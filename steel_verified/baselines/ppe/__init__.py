"""PPE, predictive path elimination (Efroni et al. 2022), as an exact finite version.

The setting is episodic: each episode begins in the same state with fresh noise, and the latent
transitions are (almost) deterministic. For h = 1, 2, …, H all surviving words of h − 1 actions are
extended by every action. Each such path is run many times. A classifier is trained to predict from
the last observation which path was run. If it cannot distinguish two paths, they lead to one state,
and one of them is eliminated. The survivors of layer h stand for the states reachable in h steps.

Differences from the publication, of which only the abstract and the public code were available:
- The class of predictors is built from a finite class F of classifiers. The *gap form* fits one
  classifier to each path and compares predicted probabilities, as the publication does. The *pair
  form* is ours: it eliminates a path if no classifier of F separates its data from another path's.
- Each path is run equally often, in a random order, as in the public code; the publication draws
  the path of each episode.
- The pair form allows no slips. The gap form has no protection against slips either.
- Sample counts that are known only from memory are marked as uncertain.
"""
