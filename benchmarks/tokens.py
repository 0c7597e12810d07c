"""How many tokens a text is to six tokenizers, beside what Moot keeps for it: `python -m benchmarks.tokens [FOLDER]`.

FOLDER holds packages that carry their vocabularies: `pip install --no-deps --target FOLDER tiktoken litellm regex
mistral-common`. Without one, only the tokenizer of `wordllama` is there. For each kind of text the table gives tokens a
byte by each tokenizer, and how often the bound is above the highest. The bound is one token a byte, since no tokenizer
that falls back to bytes makes more of a text; the estimate that plans are made with takes three bytes a token. The exit
code is 1 where a tokenizer passes the bound.
"""

import base64
import importlib
import json
import os
import random
import sys
from collections.abc import Callable
from pathlib import Path

from moot.core.tokens import estimated_tokens, most_tokens

# ruff: noqa: RUF001 (letters of other scripts are what is measured)

Count = Callable[[str], int]

SIZE = 20_000
PROSE = (
    "The harbour of Tarn was dredged in the autumn, after the council had argued for most of a year about who was to "
    "pay for it. Ships of the larger kind had waited outside since the spring. "
)


def kinds() -> dict[str, str]:
    """Return texts of many kinds, of about one size in bytes."""
    chance = random.Random(7)
    letters = "abcdefghijklmnopqrstuvwxyz"
    made = {
        "English prose": PROSE,
        "German prose": "Der Hafen wurde im Herbst ausgebaggert, nachdem der Rat lange darüber gestritten hatte. ",
        "digits": "".join(chance.choice("0123456789") for _ in range(5000)),
        "numbers in lines": "\n".join(f"{chance.random() * 1e6:.3f}" for _ in range(900)),
        "letters by chance": "".join(chance.choice(letters + " ") for _ in range(5000)),
        "base64": base64.b64encode(chance.randbytes(4000)).decode(),
        "hexadecimal": chance.randbytes(3000).hex(),
        "punctuation": "".join(chance.choice("!?;:,.#%&/()[]{}<>=+-*~^|\\\"'`$@_") for _ in range(5000)),
        "code": "def f(x: int) -> int:\n    return {'a': x ** 2, 'b': [i for i in range(x)]}['a']\n",
        "JSON": json.dumps([{"id": n, "claim": "a", "quote": ["b"] * 3} for n in range(100)]),
        "Russian": "Гавань была углублена осенью после долгого спора о том, кто должен за это платить. ",
        "Greek": "Το λιμάνι εκβαθύνθηκε το φθινόπωρο μετά από μακρά διαμάχη για το ποιος θα πληρώσει. ",
        "Chinese": "港口在秋天疏浚了，议会为谁来付款争论了将近一年。",
        "Japanese": "港は秋に浚渫された。誰が払うかについて議会は一年近く争った。",
        "Arabic": "تم تجريف الميناء في الخريف بعد أن تجادل المجلس عاما كاملا حول من سيدفع. ",
        "Hindi": "पतझड़ में बंदरगाह की सफाई हुई, इस पर लंबे समय तक बहस हुई कि भुगतान कौन करेगा। ",
        "Thai": "ท่าเรือถูกขุดลอกในฤดูใบไม้ร่วงหลังจากที่สภาถกเถียงกันมาเกือบปีว่าใครจะจ่าย ",
        "Amharic": "ወደቡ በመከር ተቆፈረ፣ ምክር ቤቱ ማን እንደሚከፍል ለአንድ ዓመት ያህል ተከራክሮ ነበር። ",
        "emoji": "🦉🧮👩‍🚀🏴‍☠️🫠🪿",
        "rare signs": "".join(chr(chance.randrange(0x10000, 0x1F000)) for _ in range(1000)),
        "controls": "".join(chr(chance.randrange(1, 32)) for _ in range(2000)),
    }
    return {name: (text * (1 + SIZE // len(text.encode())))[:SIZE] for name, text in made.items()}


def tokenizers(folder: Path | None) -> dict[str, Count]:
    """Return the tokenizers that are there; what is not is named."""
    found: dict[str, Count] = {}
    for name, make in (
        ("llama 2", _llama),
        ("o200k", lambda: _tiktoken(folder, "o200k_base")),
        ("cl100k", lambda: _tiktoken(folder, "cl100k_base")),
        ("deepseek", lambda: _file(_litellm(folder) / "deepseek_tokenizer.json")),
        ("anthropic", lambda: _file(_litellm(folder) / "anthropic_tokenizer.json")),
        ("tekken", lambda: _tekken(folder)),
    ):
        try:
            found[name] = make()
        except (ImportError, OSError) as lacking:
            print(f"without {name}: {lacking}")
    return found


def _llama() -> Count:
    package = importlib.import_module("wordllama")
    return _file(Path(package.__path__[0]) / "tokenizers" / "l2_supercat_tokenizer_config.json")


def _file(path: Path) -> Count:
    library = importlib.import_module("tokenizers")
    if not path.is_file():
        raise FileNotFoundError(path.name)
    tokenizer = library.Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _litellm(folder: Path | None) -> Path:
    if folder is None:
        raise FileNotFoundError("no folder of packages was named")
    return folder / "litellm" / "litellm_core_utils" / "tokenizers"


def _tiktoken(folder: Path | None, name: str) -> Count:
    # Its cache has the names by which tiktoken looks for these files, so that it fetches nothing.
    os.environ["TIKTOKEN_CACHE_DIR"] = str(_litellm(folder))
    encoding = importlib.import_module("tiktoken").get_encoding(name)
    return lambda text: len(encoding.encode(text, disallowed_special=()))


def _tekken(folder: Path | None) -> Count:
    if folder is None:
        raise FileNotFoundError("no folder of packages was named")
    said = json.loads((folder / "mistral_common" / "data" / "tekken_240911.json").read_text(encoding="utf-8"))
    size = said["config"]["default_vocab_size"] - said["config"]["default_num_special_tokens"]
    ranks = {base64.b64decode(entry["token_bytes"]): entry["rank"] for entry in said["vocab"][:size]}
    encoding = importlib.import_module("tiktoken").Encoding(
        "tekken", pat_str=said["config"]["pattern"], mergeable_ranks=ranks, special_tokens={}
    )
    return lambda text: len(encoding.encode(text))


def main() -> int:
    """Print the table, and return whether a tokenizer passes the bound."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if folder:
        sys.path.insert(0, str(folder))
    counts = tokenizers(folder)
    print(f"tokens a byte{'':7}" + "".join(f"{name:>11}" for name in counts) + "   bound/most   estimate/most")
    passed = False
    for kind, text in kinds().items():
        size, found = len(text.encode()), [count(text) for count in counts.values()]
        most = max(found)
        passed = passed or most > most_tokens(text)
        shares = "".join(f"{tokens / size:11.3f}" for tokens in found)
        print(f"{kind:<20}{shares}{most_tokens(text) / most:13.2f}{estimated_tokens(text) / most:16.2f}")
    return int(passed)


if __name__ == "__main__":
    sys.exit(main())
