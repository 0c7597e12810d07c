"""Expressions as quotients of polynomials in their variables and their functions (ruling S7).

Sines and cosines become polynomials in those of one angle, exponentials powers of one, roots symbols whose power is
known, logarithms of numbers those of their primes. What is zero by the relations between these is zero wherever it is
defined; what is not zero is not, if there are no functions, and else unknown. No search and no heuristics: the work is
bounded by symbols and terms.
"""

from collections.abc import Callable
from fractions import Fraction
from math import lcm
from typing import Any, ClassVar

from moot.oracles.engine import exact
from moot.oracles.engine.expressions import Name, Node, Number, names
from moot.oracles.engine.polynomials import (
    ONE,
    Polynomial,
    Quotient,
    constant,
    frozen,
    leading,
    negative,
    plus,
    replaced,
    scaled,
    symbol,
    times,
    whole,
    written,
)
from moot.oracles.finding import Uncomputable

MOST_POWER = 50
MOST_STEPS = 24
MOST_SYMBOLS = 16
MOST_PRIME = 1_000
MOST_ROUNDS = 4


class Identities:
    """The functions of some expressions, each a symbol beside the variables, and the relations between them."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.has_functions = False
        self._places: dict[Any, int] = {}
        self._relations: dict[int, tuple[int, Polynomial]] = {}
        self._exponents: dict[int, Quotient] = {}
        self._logarithms: dict[int, Quotient] = {}
        self._steps: dict[Any, int] = {}

    def form(self, node: Node) -> Quotient:
        """Return the expression as a reduced quotient of polynomials.

        Raises:
            Uncomputable: it has too many symbols or terms, another function, or no real value.

        """
        for _ in range(MOST_ROUNDS):
            # Angles and exponents are measured in steps that are common to all; a finer step begins anew.
            steps = dict(self._steps)
            made = self._form(node)
            if steps == self._steps:
                return made
            self._places, self._relations, self.names = {}, {}, []
            self._exponents, self._logarithms = {}, {}
        raise Uncomputable("angles and exponents with few denominators")

    def written(self, form: Quotient) -> str:
        """Return a quotient as text."""
        above = written(form.above, self.names)
        return above if form.below == ONE else f"({above})/({written(form.below, self.names)})"

    def _form(self, node: Node) -> Quotient:
        if isinstance(node, Number):
            return whole(constant(exact.number(node.text)))
        if isinstance(node, Name):
            return self._named(node.name)
        if node.operator not in self._readings:
            if names(node) or node.operator not in exact.OPERATORS:
                raise Uncomputable(absent(node.operator))
            return whole(constant(exact.evaluated(node).low))
        return self._readings[node.operator](self, *map(self._form, node.operands))

    def _named(self, name: str) -> Quotient:
        if name == "i":
            raise Uncomputable("real variables; i is left to complex numbers")
        if name == "e":
            return self._exponential(whole(ONE))
        return whole(symbol(self._place(name, name, is_function=name == "pi")))

    def _place(self, key: Any, name: str, *, is_function: bool = True) -> int:
        self.has_functions |= is_function
        if key not in self._places:
            if len(self._places) == MOST_SYMBOLS:
                raise Uncomputable(f"expressions of at most {MOST_SYMBOLS} variables and functions")
            self._places[key] = len(self.names)
            self.names.append(name)
        return self._places[key]

    def _sum(self, first: Quotient, second: Quotient) -> Quotient:
        above = plus(self._times(first.above, second.below), self._times(second.above, first.below))
        return self._over(above, self._times(first.below, second.below))

    def _difference(self, first: Quotient, second: Quotient) -> Quotient:
        return self._sum(first, negative(second))

    def _product(self, first: Quotient, second: Quotient) -> Quotient:
        return self._over(self._times(first.above, second.above), self._times(first.below, second.below))

    def _quotient(self, first: Quotient, second: Quotient) -> Quotient:
        return self._product(first, self._over(second.below, second.above))

    def _over(self, above: Polynomial, below: Polynomial) -> Quotient:
        if not below:
            raise Uncomputable("no division by zero")
        factor = 1 / leading(below)
        return Quotient(scaled(above, factor), scaled(below, factor))

    def _power(self, form: Quotient, power: int) -> Quotient:
        if abs(power) > MOST_POWER:
            raise Uncomputable(f"powers of at most {MOST_POWER}")
        raised = whole(ONE)
        for _ in range(abs(power)):
            raised = self._product(raised, form)
        if not form.above and power <= 0:
            raise Uncomputable("no power of zero that is not positive")
        return raised if power >= 0 else self._over(raised.below, raised.above)

    def _raised(self, base: Quotient, exponent: Quotient) -> Quotient:
        power = exponent.number
        if power is None:
            return self._exponential(self._product(exponent, self._logarithm(base)))
        if power.denominator == 1:
            return self._power(base, power.numerator)
        if power.denominator > exact.MOST_ROOT:
            raise Uncomputable(f"rational exponents with a denominator of at most {exact.MOST_ROOT}")
        return self._power(self._root(base, power.denominator), power.numerator)

    def _root(self, form: Quotient, degree: int) -> Quotient:
        """The root of a positive number is that of its primes; any other is a symbol whose power is known."""
        if (number := form.number) is not None:
            return self._root_of_number(number, degree)
        if form.below != ONE:
            return whole(symbol(self._place(("root", degree, form.key), f"({self.written(form)})^(1/{degree})")))
        size = abs(leading(form.above))
        radicand = scaled(form.above, 1 / size)
        place = self._place(("root", degree, frozen(radicand)), f"({written(radicand, self.names)})^(1/{degree})")
        self._relations[place] = (degree, radicand)
        return self._product(self._root_of_number(size, degree), whole(symbol(place)))

    def _root_of_number(self, number: Fraction, degree: int) -> Quotient:
        if number < 0:
            raise Uncomputable("roots of numbers that are not negative")
        root = whole(constant(Fraction(1, number.denominator)))
        for prime, power in _primes(number.numerator * number.denominator ** (degree - 1)):
            place = self._place(("root", degree, prime), f"{prime}^(1/{degree})") if power % degree else None
            root = self._product(root, whole(constant(prime ** (power // degree))))
            if place is not None:
                self._relations[place] = (degree, constant(prime))
                root = self._product(root, self._power(whole(symbol(place)), power % degree))
        return root if number else whole({})

    def _absolute(self, form: Quotient) -> Quotient:
        if form.number is not None:
            return whole(constant(abs(form.number)))
        above, below = (self._root(whole(self._times(part, part)), 2) for part in (form.above, form.below))
        return self._quotient(above, below)

    def _logarithm(self, form: Quotient) -> Quotient:
        """Of a number the sum over its primes, of an exponential its exponent, of anything else a symbol."""
        if (number := form.number) is not None:
            if number <= 0:
                raise Uncomputable("logarithms of positive numbers")
            above, below = (_primes(part) for part in (number.numerator, number.denominator))
            powers = [*above, *((prime, -power) for prime, power in below)]
            return self._summed([(Fraction(power), self._ln(constant(prime))) for prime, power in powers])
        if form.below == ONE and len(form.above) == 1:
            ((monomial, coefficient),) = form.above.items()
            if coefficient > 0 and all(place in self._exponents for place, _ in monomial):
                exponents = [(Fraction(power), self._exponents[place]) for place, power in monomial]
                return self._sum(self._logarithm(whole(constant(coefficient))), self._summed(exponents))
        place = self._place(("ln", form.key), f"ln({self.written(form)})")
        self._logarithms[place] = form
        return whole(symbol(place))

    def _ln(self, number: Polynomial) -> Quotient:
        place = self._place(("ln", frozen(number)), f"ln({written(number, self.names)})")
        self._logarithms[place] = whole(number)
        return whole(symbol(place))

    def _summed(self, parts: list[tuple[Fraction, Quotient]]) -> Quotient:
        total = whole({})
        for factor, form in parts:
            total = self._sum(total, Quotient(scaled(form.above, factor), form.below))
        return total

    def _exponential(self, form: Quotient) -> Quotient:
        made = whole(ONE)
        for key, rest, number in self._terms("exp", form):
            undone = next((inner for place, inner in self._logarithms.items() if rest == whole(symbol(place))), None)
            if undone is not None:
                made = self._product(made, self._raised(undone, whole(constant(number))))
                continue
            taken = self._taken(key, number)
            step = Quotient(scaled(rest.above, Fraction(1, self._steps[key])), rest.below)
            place = self._place(key, "e" if step.number == 1 else f"exp({self.written(step)})")
            self._exponents[place] = step
            made = self._product(made, self._power(whole(symbol(place)), taken))
        return made

    def _terms(self, kind: str, form: Quotient) -> list[tuple[Any, Quotient, Fraction]]:
        """The terms of an angle or an exponent: a key, the rest without its coefficient, and the coefficient."""
        if form.below != ONE:
            number = leading(form.above) if form.above else Fraction(0)
            rest = Quotient(scaled(form.above, 1 / number), form.below) if number else form
            return [((kind, rest.key), rest, number)] if number else []
        return [
            ((kind, monomial), whole({monomial: Fraction(1)}), coefficient)
            for monomial, coefficient in sorted(form.above.items())
        ]

    def _taken(self, key: Any, number: Fraction) -> int:
        """How many steps the coefficient is."""
        self._steps[key] = lcm(self._steps.get(key, 1), number.denominator)
        taken = int(number * self._steps[key])
        if abs(taken) > MOST_STEPS:
            raise Uncomputable(f"angles and exponents of at most {MOST_STEPS} steps")
        return taken

    def _angle(self, form: Quotient) -> tuple[Polynomial, Polynomial]:
        """The cosine and the sine of an angle, by the sums and multiples of its steps."""
        cosine, sine = ONE, constant(0)
        for key, rest, number in self._terms("angle", form):
            taken, step = self._step(key, rest, number)
            for _ in range(abs(taken)):
                turn = step[1] if taken > 0 else scaled(step[1], Fraction(-1))
                cosine, sine = (
                    plus(self._times(cosine, step[0]), scaled(self._times(sine, turn), Fraction(-1))),
                    plus(self._times(sine, step[0]), self._times(cosine, turn)),
                )
        return cosine, sine

    def _step(self, key: Any, rest: Quotient, number: Fraction) -> tuple[int, tuple[Polynomial, Polynomial]]:
        if "pi" in self._places and rest == whole(symbol(self._places["pi"])) and 12 % number.denominator == 0:
            return int(number * 12) % 24, self._twelfth_of_pi()
        taken = self._taken(key, number)
        angle = self.written(Quotient(scaled(rest.above, Fraction(1, self._steps[key])), rest.below))
        cosine, sine = self._place(("cos", key), f"cos({angle})"), self._place(("sin", key), f"sin({angle})")
        self._relations[sine] = (2, plus(ONE, scaled(times(symbol(cosine), symbol(cosine)), Fraction(-1))))
        return taken, (symbol(cosine), symbol(sine))

    def _twelfth_of_pi(self) -> tuple[Polynomial, Polynomial]:
        """The cosine and the sine of 15 degrees: the roots of 6 and 2, added or subtracted, over 4."""
        six, two = (self._root_of_number(Fraction(number), 2).above for number in (6, 2))
        quarter = Fraction(1, 4)
        return scaled(plus(six, two), quarter), scaled(plus(six, scaled(two, Fraction(-1))), quarter)

    def _tangent(self, form: Quotient) -> Quotient:
        cosine, sine = self._angle(form)
        return self._over(sine, cosine)

    def _hyperbolic(self, form: Quotient, sign: int) -> Quotient:
        rising, falling = self._exponential(form), self._exponential(negative(form))
        both = self._sum(rising, falling if sign > 0 else negative(falling))
        return Quotient(scaled(both.above, Fraction(1, 2)), both.below)

    def _inverse(self, name: str, form: Quotient) -> Quotient:
        return whole(symbol(self._place((name, form.key), f"{name}({self.written(form)})")))

    def _times(self, first: Polynomial, second: Polynomial) -> Polynomial:
        return self._reduced(times(first, second))

    def _reduced(self, polynomial: Polynomial) -> Polynomial:
        """Later symbols stand for what earlier ones are in, so that each replacement ends."""
        for place, (degree, replacement) in sorted(self._relations.items(), reverse=True):
            polynomial = replaced(polynomial, place, degree, replacement)
        return polynomial

    _readings: ClassVar[dict[str, Callable[..., Quotient]]] = {
        "+": _sum,
        "-": _difference,
        "*": _product,
        "/": _quotient,
        "neg": lambda _, form: negative(form),
        "percent": lambda _, form: Quotient(scaled(form.above, Fraction(1, 100)), form.below),
        "^": _raised,
        "sqrt": lambda self, form: self._root(form, 2),
        "cbrt": lambda self, form: self._root(form, 3),
        "abs": _absolute,
        "exp": _exponential,
        "ln": _logarithm,
        "log2": lambda self, form: self._quotient(self._logarithm(form), self._ln(constant(2))),
        "log10": lambda self, form: self._quotient(self._logarithm(form), self._logarithm(whole(constant(10)))),
        "sin": lambda self, form: whole(self._angle(form)[1]),
        "cos": lambda self, form: whole(self._angle(form)[0]),
        "tan": _tangent,
        "sinh": lambda self, form: self._hyperbolic(form, -1),
        "cosh": lambda self, form: self._hyperbolic(form, 1),
        "tanh": lambda self, form: self._quotient(self._hyperbolic(form, -1), self._hyperbolic(form, 1)),
        "asin": lambda self, form: self._inverse("asin", form),
        "acos": lambda self, form: self._inverse("acos", form),
        "atan": lambda self, form: self._inverse("atan", form),
    }


def _primes(number: int) -> list[tuple[int, int]]:
    """The small primes of a number with their powers, and what is left as if it were one."""
    powers: list[tuple[int, int]] = []
    for prime in range(2, MOST_PRIME):
        power = 0
        while number > 1 and number % prime == 0:
            number, power = number // prime, power + 1
        powers += [(prime, power)] if power else []
    return [*powers, (number, 1)] if number > 1 else powers


def absent(operator: str) -> str:
    """Return why an operation is not taken."""
    return "log2, log10 or ln, since log alone is ambiguous" if operator == "log" else f"no {operator} of a variable"
