"""A second opinion on the proofs, by independent solvers and by numerical evaluation.

The kernels are small, but they are ours. Here their work is done again by other means:

- every obligation of the deduction kernel is written in SMT-LIB 2, from the texts of the theories
  and not from the kernel's formulas, and given to z3 and cvc5;
- both solvers look for a model of every theory's assumptions;
- every line of every proof about sums is evaluated in exact arithmetic on random chains.

`python -m proofs_checks.second_opinion` prints what agrees. The solvers are the extra
`second-opinion`; nothing else in the project needs them.
"""
