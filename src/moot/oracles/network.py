"""IP addresses, networks and the parts of URLs, by the standard library; nothing is looked up (ruling S7).

`private` means RFC 1918 and fc00::/7 alone; loopback and link-local addresses have names of their own, and `public` is
what none of the blocks below holds. A host without a written port has its scheme's.
"""

import ipaddress
import re
from typing import Literal
from urllib.parse import SplitResult, urlsplit

from moot.oracles.finding import Computed, Deniable, Line, Oracle, Uncomputable, bounded, shortened

MOST_CHARACTERS = 1_000

Relation = Literal[
    "valid", "version", "private", "loopback", "link_local", "multicast", "public", "in_network",
    "addresses", "hosts", "netmask", "broadcast", "first_address",
    "scheme", "host", "port", "path", "query", "fragment",
]  # fmt: skip

_BLOCKS = {
    "private": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
    "loopback": ("127.0.0.0/8", "::1/128"),
    "link_local": ("169.254.0.0/16", "fe80::/10"),
    "multicast": ("224.0.0.0/4", "ff00::/8"),
}
_OTHER_SPECIAL = (
    *("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15"),
    *("198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4", "::/128", "::ffff:0:0/96", "64:ff9b::/96"),
    *("64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "5f00::/16"),
)
_PORTS = {"http": 80, "https": 443, "ws": 80, "wss": 443, "ftp": 21, "ssh": 22}
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!#$%&'()*+,\-./0-9:;=?@A-Z\[\]_a-z~]*")
_OF_A_NETWORK = ("addresses", "hosts", "netmask", "broadcast", "first_address")
_OF_A_URL: tuple[Relation, ...] = ("scheme", "host", "port", "path", "query", "fragment")
_PARTS: dict[str, Relation] = {relation: relation for relation in _OF_A_URL}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NetworkFacts(Deniable):
    """A claim about an address, a network (`10.0.0.0/8`) or a URL.

    valid, version, private, loopback, link_local, multicast, public: of an address. in_network: the address lies in
    `claimed`. addresses, hosts, netmask, broadcast, first_address: of a network. scheme, host, port, path, query,
    fragment: of a URL.
    """

    kind: Literal["network"] = "network"
    relation: Relation
    subject: Line
    claimed: Line = ""


def decide(check: NetworkFacts) -> Computed:
    """Return whether the claim about the address, network or URL holds."""
    subject = bounded(check.subject.strip(), MOST_CHARACTERS, "addresses and URLs")
    claimed = bounded(check.claimed.strip(), MOST_CHARACTERS, "addresses and URLs")
    if check.relation in _OF_A_URL:
        value = _url_part(subject, check.relation)
        same = value.lower() == claimed.lower() if check.relation in ("scheme", "host") else value == claimed
        return Computed(same, shortened(value) or "empty", f"the {check.relation} of the URL")
    if check.relation in _OF_A_NETWORK:
        network = _network(subject)
        value = _network_fact(network, check.relation)
        if check.relation == "hosts" and claimed == "0" and network.prefixlen > 30:
            # By the rule before RFC 3021 a network that small has none.
            raise Uncomputable("hosts of networks up to /30, or those that a /31 has by RFC 3021")
        return Computed(value == claimed.replace(",", ""), value, f"the {check.relation} of {subject}")
    if check.relation == "valid":
        return _validity(subject)
    return _of_an_address(_address(subject), check.relation, claimed)


def _validity(subject: str) -> Computed:
    try:
        address = ipaddress.ip_address(subject)
    except ValueError:
        return Computed(holds=False, value="no IP address", explanation="read as IPv4 and as IPv6")
    return Computed(holds=True, value=f"IPv{address.version}", explanation="read as IPv4 and as IPv6")


def _of_an_address(address: Address, relation: Relation, claimed: str) -> Computed:
    if relation == "version":
        stated = claimed.lower().removeprefix("ip").removeprefix("v")
        return Computed(stated == str(address.version), f"IPv{address.version}", "how it is written")
    if relation == "in_network":
        network = _network(claimed)
        return Computed(address in network, f"{network[0]} to {network[-1]}", "the range of the network")
    kind = _kind(address)
    if kind == "reserved" and relation == "private":
        # The registry has a purpose for each such block; many a library calls them all private.
        raise Uncomputable("addresses of blocks that all call private or none does")
    return Computed(kind == relation, kind, "the special-purpose address blocks")


def _kind(address: Address) -> str:
    for kind, blocks in _BLOCKS.items():
        if any(address in ipaddress.ip_network(block) for block in blocks):
            return kind
    special = any(address in ipaddress.ip_network(block) for block in _OTHER_SPECIAL)
    return "reserved" if special else "public"


def _address(text: str) -> Address:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        raise Uncomputable("IPv4 and IPv6 addresses") from None


def _network(text: str) -> Network:
    if "/" not in text:
        raise Uncomputable("networks with a prefix, such as 10.0.0.0/8")
    try:
        return ipaddress.ip_network(text, strict=False)
    except ValueError:
        raise Uncomputable("IPv4 and IPv6 networks") from None


def _network_fact(network: Network, relation: Relation) -> str:
    if relation == "addresses":
        return str(network.num_addresses)
    if relation == "netmask":
        return str(network.netmask)
    if relation == "first_address":
        return str(network.network_address)
    if network.version == 6:
        raise Uncomputable("hosts and broadcast addresses of IPv4 networks")
    if relation == "broadcast":
        return str(network.broadcast_address)
    return str(network.num_addresses - 2 if network.prefixlen < 31 else network.num_addresses)


def _url_part(text: str, relation: Relation) -> str:
    """Only characters that RFC 3986 knows, since browsers and libraries disagree on all others."""
    if not _URL.fullmatch(text):
        raise Uncomputable("URLs with a scheme, of the characters of RFC 3986")
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        raise Uncomputable("URLs with a valid host and port") from None
    if parts.netloc.count("@") > 1:
        raise Uncomputable("URLs with at most one @ before the host")
    if relation == "port":
        return _port(parts, port)
    if relation == "host":
        return parts.hostname or ""
    return {"scheme": parts.scheme, "path": parts.path, "query": parts.query, "fragment": parts.fragment}[relation]


def _port(parts: SplitResult, port: int | None) -> str:
    if port is None and parts.scheme not in _PORTS:
        raise Uncomputable(f"written ports, and those of {', '.join(_PORTS)}")
    return str(port if port is not None else _PORTS[parts.scheme])


_IP = r"([0-9a-fA-F:.]{2,45})"
_RANGE = r"([0-9a-fA-F:.]{2,45}/[0-9]{1,3})"
_KINDS: dict[str, Relation] = {
    "private": "private",
    "public": "public",
    "loopback": "loopback",
    "multicast": "multicast",
    "link-local": "link_local",
    "ipv4": "version",
    "ipv6": "version",
    "valid": "valid",
}
_IS_A = re.compile(rf"{_IP} is (not )?an? (?:(not) )?({'|'.join(_KINDS)})(?: ip)?(?: address)?", re.IGNORECASE)
_IN = re.compile(rf"{_IP} is (not )?in (?:the network )?{_RANGE}", re.IGNORECASE)
_HAS = re.compile(
    rf"(?:the network )?{_RANGE} has ([0-9,]+) (addresses|(?:usable )?hosts|usable addresses)", re.IGNORECASE
)
_OF = re.compile(rf"the (broadcast address|netmask|subnet mask) of {_RANGE} is {_IP}", re.IGNORECASE)
_PART = re.compile(
    r"the (scheme|host|port|path|query|fragment) of [<`'\"]?([^\s<>`'\"]+)[>`'\"]? is [`'\"]?([^\s`'\"]+)[`'\"]?",
    re.IGNORECASE,
)


def read(sentence: str) -> NetworkFacts | None:
    """Return the claim about an address, a network or a URL that a sentence makes as a whole, or nothing."""
    if found := _IS_A.fullmatch(sentence):
        kind = found[4].lower()
        claimed = kind.removeprefix("ipv") if kind.startswith("ipv") else ""
        return NetworkFacts(
            relation=_KINDS[kind], subject=found[1], claimed=claimed, negated=bool(found[2] or found[3])
        )
    if found := _IN.fullmatch(sentence):
        return NetworkFacts(relation="in_network", subject=found[1], claimed=found[3], negated=bool(found[2]))
    if found := _HAS.fullmatch(sentence):
        relation: Relation = "addresses" if found[3].lower() == "addresses" else "hosts"
        return NetworkFacts(relation=relation, subject=found[1], claimed=found[2])
    if found := _OF.fullmatch(sentence):
        fact: Relation = "broadcast" if found[1].lower().startswith("b") else "netmask"
        return NetworkFacts(relation=fact, subject=found[2], claimed=found[3])
    is_part = (found := _PART.fullmatch(sentence)) and "://" in found[2]
    if found and is_part and (found[1].lower() != "port" or found[3].isdecimal()):
        return NetworkFacts(relation=_PARTS[found[1].lower()], subject=found[2], claimed=found[3])
    return None


ORACLE = Oracle(
    kind="network",
    takes=NetworkFacts,
    help="IP addresses and networks, parts of URLs",
    limit=f"{MOST_CHARACTERS:,} characters; nothing is looked up",
    decide=decide,
    read=read,
)
