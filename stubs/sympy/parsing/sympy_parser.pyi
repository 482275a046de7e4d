# The part of sympy's parser that is used here, without Any.

from collections.abc import Callable, Mapping

from sympy import Expr

def parse_expr(
    s: str,
    local_dict: Mapping[str, Expr | type[Expr] | Callable[[Expr], Expr]],
    *,
    evaluate: bool = True,
) -> Expr: ...
