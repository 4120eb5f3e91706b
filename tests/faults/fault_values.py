"""Values of a rule table: what is a number, a count, a span, a duration; and durations drawn from distributions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import random


def is_number(value: Any) -> bool:
    """Tell whether this is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def is_whole(value: Any) -> bool:
    """Tell whether this is a whole number."""
    return isinstance(value, int) and not isinstance(value, bool)


def is_count(value: Any) -> bool:
    """Tell whether this is a whole number from 0 on."""
    return is_whole(value) and value >= 0


def is_span(value: Any) -> bool:
    """Tell whether this is a list of two numbers from 0 on, the smaller one first."""
    is_two = isinstance(value, list) and len(value) == 2 and all(is_number(one) for one in value)
    return is_two and 0 <= value[0] <= value[1]


def draw_seconds(how: Any, chance: random.Random) -> float:
    """Draw a duration from a number or a distribution of a checked table."""
    if not isinstance(how, dict):
        return float(how)
    if "uniform" in how:
        return chance.uniform(*how["uniform"])
    shape = how["lognormal"]
    drawn = chance.lognormvariate(math.log(shape["median"]), shape["sigma"])
    return float(min(drawn, shape["max"]))


def is_duration(value: Any, *, fixed: bool) -> bool:
    """Tell whether this is a number of seconds, or, unless it must be ``fixed``, a distribution of them."""
    if is_number(value):
        return bool(value >= 0)
    if fixed or not isinstance(value, dict) or len(value) != 1:
        return False
    ((shape, how),) = value.items()
    return (shape == "uniform" and is_span(how)) or (shape == "lognormal" and _lognormal(how))


def _lognormal(how: Any) -> bool:
    wanted = {"median", "sigma", "max"}
    complete = isinstance(how, dict) and set(how) == wanted
    return complete and all(is_number(one) and one > 0 for one in how.values())
