"""PPE, predictive path elimination (Efroni et al. 2022), as an exact finite version.

The setting is episodic: each episode begins in one start state, with fresh noise, and the latent
transitions are (almost) deterministic. For h = 1, 2, …, H all surviving words of h − 1 actions are
continued with every action. Each such path is run often; a classifier is trained to tell from the
last observation which path was run; two paths that it cannot tell apart lead to one state, and one
of them is eliminated. The survivors of layer h stand for the states reachable in h steps.

What differs from the publication, of which only the abstract and the public code were at hand:
- The class of predictors is built from a finite class F of classifiers. The *gap form* fits one
  classifier to each path and compares predicted chances, as the publication does. The *pair form*
  is ours: it eliminates a path if no classifier of F separates its data from those of another.
- Each path is run equally often, in a random order, as in the public code; the publication draws
  the path of each episode.
- No step may slip in the pair form. The gap form takes no measures against slips either.
- Sample counts that are known from memory only are marked as uncertain (`counts`).
"""
