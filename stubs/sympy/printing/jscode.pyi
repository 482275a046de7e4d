# The part of sympy's printer of JavaScript that is used here, without Any.

from sympy import Expr

class JavascriptCodePrinter:
    def __init__(self) -> None: ...
    def _print(self, expr: Expr) -> str: ...
