"""Physical constants: CODATA 2022, and the defined values of the metre convention (ruling S7).

A value is written as it is published; the uncertainty is of its last digits, and a constant without one is exact.
"""

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Constant:
    """One constant: its value and standard uncertainty, both in its unit."""

    names: tuple[str, ...]
    value: Fraction
    uncertainty: Fraction
    unit: str


def _row(names: str, value: str, unit: str, uncertainty: str = "0") -> Constant:
    return Constant(tuple(names.split(", ")), Fraction(value), Fraction(uncertainty), unit)


CONSTANTS = (
    _row("speed of light, speed of light in vacuum, speed of light in a vacuum", "299792458", "m/s"),
    _row("planck constant, planck's constant", "6.62607015e-34", "J*s"),
    _row("elementary charge, charge of the proton", "1.602176634e-19", "coulomb"),
    _row("boltzmann constant, boltzmann's constant", "1.380649e-23", "J/K"),
    _row("avogadro constant, avogadro's constant", "6.02214076e23", "1/mol"),
    _row("avogadro number, avogadro's number", "6.02214076e23", ""),
    _row("molar gas constant, gas constant, universal gas constant", "8.31446261815324", "J/(mol*K)"),
    _row("faraday constant, faraday's constant", "96485.3321233100184", "coulomb/mol"),
    _row("standard gravity, standard acceleration of gravity", "9.80665", "m/s^2"),
    _row("standard atmosphere, standard atmospheric pressure", "101325", "Pa"),
    _row("astronomical unit", "149597870700", "m"),
    _row("absolute zero", "0", "K"),
    _row("gravitational constant, newtonian constant of gravitation", "6.67430e-11", "m^3/(kg*s^2)", "1.5e-15"),
    _row("electron mass, mass of the electron, mass of an electron", "9.1093837139e-31", "kg", "2.8e-40"),
    _row("proton mass, mass of the proton, mass of a proton", "1.67262192595e-27", "kg", "5.2e-37"),
    _row("neutron mass, mass of the neutron, mass of a neutron", "1.67492750056e-27", "kg", "8.5e-37"),
    _row("atomic mass constant, unified atomic mass unit", "1.66053906892e-27", "kg", "5.2e-37"),
    _row("fine-structure constant, fine structure constant", "7.2973525643e-3", "", "1.1e-12"),
    _row("rydberg constant", "10973731.568157", "1/m", "1.2e-5"),
    _row("bohr radius", "5.29177210544e-11", "m", "8.2e-21"),
    _row("vacuum electric permittivity, vacuum permittivity", "8.8541878188e-12", "F/m", "1.4e-21"),
    _row("vacuum magnetic permeability, vacuum permeability", "1.25663706127e-6", "N/A^2", "2.0e-16"),
)

BY_NAME = {name: constant for constant in CONSTANTS for name in constant.names}

ALSO_PER_MOLE = dict.fromkeys(("avogadro number", "avogadro's number"), BY_NAME["avogadro constant"])
"""A number by its name, that many give the unit of the constant."""
