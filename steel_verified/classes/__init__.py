"""Classes of classifiers, each with an exact oracle: what it answers is found by proof."""
