"""Units and constants: exact conversions, dimensions, CODATA values (ruling S7)."""

from fractions import Fraction
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moot.oracles import consult
from moot.oracles.engine.constants import CONSTANTS
from moot.oracles.engine.measures import parsed_unit, registry
from moot.oracles.finding import Finding, Verdict


def found(left: str, right: str, relation: str = "equals") -> Finding:
    return consult({"kind": "units", "relation": relation, "left": left, "right": right})


@pytest.mark.parametrize(
    ("left", "right", "relation", "verdict"),
    [
        ("1 mile", "1.609344 km", "equals", "true"),
        ("1 mile", "1.61 km", "equals", "true as rounded"),
        ("1 mile", "2 km", "equals", "true as rounded"),
        ("1 mile", "2 km", "about", "true as rounded"),
        ("1 mile", "5 kg", "equals", "false"),
        ("100 °C", "212 °F", "equals", "true"),
        ("100 C", "212 F", "equals", "true"),
        ("1 C", "1 A*s", "equals", "true"),
        ("37.0 degrees Celsius", "98.6 degrees Fahrenheit", "equals", "true"),
        ("1 US gallon", "3.785 L", "equals", "true as rounded"),
        ("1 imperial gallon", "4.546 L", "equals", "true as rounded"),
        ("9.8 m/s^2", "9.8 m s^-2", "equals", "true"),
        ("1 square mile", "2.59 km²", "equals", "true as rounded"),
        ("60 miles per hour", "26.82 m/s", "equals", "true as rounded"),
        ("1 kg*m^2/(s^2)", "1 J", "equals", "true"),
        ("1 mW", "0.001 W", "equals", "true"),
        ("1 MW", "0.001 W", "equals", "false"),
        ("2 bytes", "16 bits", "equals", "true"),
        ("180 degrees", "3.14159 radians", "equals", "true as rounded"),
        ("3.00 × 10^8 m", "300000 km", "equals", "true"),  # noqa: RUF001
        ("the speed of light", "299792458 m/s", "equals", "true"),
        ("the speed of light", "3.00e8 m/s", "equals", "true as rounded"),
        ("the speed of light", "3e8 m/s", "equals", "true as rounded"),
        ("the speed of light", "300,000 km/s", "about", "true as rounded"),
        ("Planck's constant", "6.626e-34 J s", "equals", "true as rounded"),
        ("the fine-structure constant", "0.0073", "equals", "true as rounded"),
        ("absolute zero", "-459.67 °F", "equals", "true"),
        ("1 km", "1 mile", "less", "true"),
        ("1 km", "1 mile", "greater", "false"),
        ("100 km", "62 miles", "equals", "true as rounded"),
        ("100 km", "65 miles", "equals", "false"),
        ("100 km/h", "62 mph", "equals", "true as rounded"),
        ("100 F", "38 C", "equals", "true as rounded"),
        ("100 F", "39 C", "equals", "false"),
        ("20 C", "68 °F", "equals", "true"),
        ("6 feet", "183 cm", "equals", "true as rounded"),
        ("1 imperial pint", "568 ml", "equals", "true as rounded"),
        ("1 mile", "1.6 km", "exactly", "false"),
        ("1 inch", "2.54 cm", "exactly", "true"),
        ("1 Calorie", "4184 J", "equals", "true"),
        ("1 kcal", "4.184 J", "equals", "false"),
        ("1 m2", "10.76 ft2", "equals", "true as rounded"),
        ("1 J", "1 kg m2 s-2", "equals", "true"),
        ("2 dozen", "24", "equals", "true"),
        ("2 dozen", "25", "equals", "false"),
        ("the speed of light", "300,000 km/s", "equals", "true as rounded"),
        ("the speed of light", "310,000 km/s", "equals", "false"),
        ("Avogadro's number", "6.022e23", "equals", "true as rounded"),
        ("Avogadro's number", "6.022e23 per mole", "equals", "true as rounded"),
        ("Avogadro's number", "6.023e23", "equals", "false"),
        ("absolute zero", "-273 °C", "equals", "true as rounded"),
        ("N*m", "J", "same_dimension", "true"),
        ("3 m/s", "2 km/h", "same_dimension", "true"),
        ("kg", "N", "same_dimension", "false"),
    ],
)
def test_a_claim_is_true_or_false(left: str, right: str, relation: str, verdict: str) -> None:
    assert found(left, right, relation).verdict == verdict


def test_the_value_is_the_left_quantity_in_the_right_unit() -> None:
    assert found("1 mile", "2 km").value == "1.609344 kilometer"
    assert found("standard gravity", "1 m/s^2").value == "9.80665 meter second^-2"


def test_a_measured_constant_is_not_decided_within_its_uncertainty() -> None:
    older = found("the mass of the electron", "9.1093837015e-31 kg")

    assert older.verdict == "not computable"
    assert "uncertainty" in older.limit
    assert found("the mass of the electron", "9.1093837e-31 kg").verdict == "true as rounded"
    assert found("the mass of the electron", "9.1094837e-31 kg").verdict == "false"


@pytest.mark.parametrize("constant", CONSTANTS, ids=lambda constant: constant.names[0])
def test_a_constant_is_the_one_that_pint_ships_within_its_uncertainty(constant) -> None:
    shipped = {
        "speed of light": "speed_of_light",
        "planck constant": "planck_constant",
        "elementary charge": "elementary_charge",
        "boltzmann constant": "boltzmann_constant",
        "avogadro constant": "avogadro_number / mole",
        "avogadro number": "avogadro_number",
        "molar gas constant": "molar_gas_constant",
        "faraday constant": "faraday_constant",
        "standard gravity": "standard_gravity",
        "standard atmosphere": "standard_atmosphere",
        "astronomical unit": "astronomical_unit",
        "gravitational constant": "newtonian_constant_of_gravitation",
        "electron mass": "electron_mass",
        "proton mass": "proton_mass",
        "neutron mass": "neutron_mass",
        "atomic mass constant": "atomic_mass_constant",
        "fine-structure constant": "fine_structure_constant",
        "rydberg constant": "rydberg_constant",
        "bohr radius": "bohr",
        "vacuum electric permittivity": "vacuum_permittivity",
        "vacuum magnetic permeability": "vacuum_permeability",
    }
    if constant.names[0] == "absolute zero":
        assert constant.value == 0
        return

    theirs = registry().Quantity(shipped[constant.names[0]]).to(parsed_unit(constant.unit)).magnitude

    assert abs(Fraction(theirs) - constant.value) <= max(10 * constant.uncertainty, abs(constant.value) / 10**14)


@pytest.mark.clause("ruling:S7")
@pytest.mark.parametrize(
    ("left", "limit"),
    [
        ("1 " + "m*" * 5_000_000 + "m", "at most 150 characters"),
        ("1 " + "m*" * 20 + "m", "at most 12 names"),
        ("1 " + "(" * 40 + "m" + ")" * 40, "nested at most 5 deep"),
        ("1 (((m^9)^9)^9)", "powers of at most 9"),
        ("1 m^999999999", "powers of at most 9"),
        ("1 m^9^9^9", "names, powers and quotients"),
        ("1 m**m", "whole powers"),
        ("1 m//s", "a name after each division"),
        ("1 m/", "a name after each division"),
        ("1 (m", "balanced"),
        ("1 __import__('os').getcwd()", "names, powers and quotients"),
        ("1 __class__", "units that pint knows"),
        ("1 nan", "units that pint knows"),
        ("nan m", "a number with a unit"),
        ("\u0661 m", "a number with a unit"),
        ("1e999 m", "between 10^-60 and 10^60"),
        ("1 ton", "until it is qualified"),
        ("1 year", "until it is qualified"),
        ("1 MB", "until it is qualified"),
        ("1 gauss", "Gaussian"),
        ("1 wibble", "units that pint knows"),
        ("", "a number with a unit"),
    ],
)
def test_what_is_beyond_it_names_the_limit(left: str, limit: str) -> None:
    finding = found(left, "1 m")

    assert finding.verdict == "not computable"
    assert limit in finding.limit


@pytest.mark.parametrize(
    ("left", "right", "limit"),
    [
        ("1 Hz", "6.28 rad/s", "on both sides"),
        ("1 degC*m", "1 K*m", "temperatures alone"),
        ("1 dBm", "1 mW", "convert by a factor"),
        ("1 km", "the astronomical unit", "a stated number"),
        ("1 mile", "1600 m", "whose last zeros"),
        ("2.5 cm", "0 m", "not zero"),
        ("25 mm", "2 cm", "midway"),
        ("1 Calorie", "4.184 J", "calories of one kind"),
        ("1 calorie", "4184 J", "calories of one kind"),
        ("1 calorie", "4.19 J", "calories of one kind"),
        ("10 C", "18 F", "difference of temperatures"),
        ("180 C", "350 F", "of an oven"),
        ("1 u", "931.5 MeV", "spoken of as one"),
        ("1 atm", "760 mm", "spoken of as one"),
        ("the speed of light", "299792458", "with their units"),
        ("the speed of light", "2.997e8 m/s", "not cut"),
        ("the mass of the electron", "511 keV", "with their units"),
        ("8 oz", "237 ml", "spoken of as one"),
        ("1 pound", "4.45 N", "spoken of as one"),
        ("1 g", "9.8 m/s^2", "spoken of as one"),
        ("20 C", "68 degrees", "with their units"),
        ("60 m", "1 hour", "may mean minutes"),
        ("1 degree", "60 minutes", "with their units"),
        ("8 b", "1 B", "until it is qualified"),
    ],
)
def test_what_does_not_convert_is_not_decided(left: str, right: str, limit: str) -> None:
    finding = found(left, right)

    assert finding.verdict == "not computable"
    assert limit in finding.limit


@pytest.mark.clause("ruling:S12")
def test_a_comparison_of_calories_that_the_other_calorie_turns_round_is_not_decided() -> None:
    assert found("1 calorie", "1 kJ", "greater").verdict == "not computable"
    assert found("1 calorie", "1 J", "greater").verdict == "true"
    assert found("1 kcal", "1 kJ", "greater").verdict == "true"


LENGTHS = st.sampled_from(["m", "km", "mile", "inch", "foot", "yard", "nautical_mile", "light_year", "nm", "angstrom"])
SIZES = st.fractions(min_value=Fraction(1, 10**6), max_value=10**6, max_denominator=10**6)


@given(SIZES, LENGTHS, LENGTHS)
@settings(deadline=None)
def test_a_conversion_and_its_way_back_come_to_the_same(size: Fraction, first: str, second: str) -> None:
    there = registry().Quantity(size, parsed_unit(first)).to(parsed_unit(second))

    back = there.to(parsed_unit(first))

    assert back.magnitude == size


@given(st.integers(1, 10**6), LENGTHS, LENGTHS)
@settings(deadline=None)
def test_of_two_quantities_one_is_less_or_they_are_equal(size: int, first: str, second: str) -> None:
    verdicts = [found(f"{size} {first}", f"{size} {second}", relation).verdict for relation in ("less", "greater")]

    assert verdicts.count("true") == (0 if parsed_unit(first) == parsed_unit(second) else 1)


@given(st.text(max_size=30), st.text(alphabet="kmsgNJWPa123^*/() °C", max_size=20))
@settings(deadline=None)
def test_any_text_gets_a_verdict(left: str, unit: str) -> None:
    for first, second in ((left, f"1 {unit}"), (f"1 {unit}", f"1 {left}"), (f"1 {unit}", f"1.5 {unit}")):
        for relation in ("equals", "less", "same_dimension"):
            assert found(first, second, relation).verdict in get_args(Verdict)


@given(st.from_regex(r"[a-zA-Z_]{1,12}", fullmatch=True))
@settings(deadline=None)
def test_any_name_is_a_unit_or_is_refused(name: str) -> None:
    assert found(f"1 {name}", f"1 {name}").verdict in ("true", "not computable")


def test_every_unit_that_pint_knows_gets_a_verdict_with_itself() -> None:
    for name in sorted(registry()._units):
        if name.isascii() and name.isidentifier() and not any(map(str.isdigit, name)):
            assert found(f"2 {name}", f"2 {name}").verdict in ("true", "not computable"), name
