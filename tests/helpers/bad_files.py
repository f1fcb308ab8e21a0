"""Study files that are wrong: what each holds, and words that the answer must hold. A specification of what `validate` refuses.

And files that may be read, with what `validate` says of them beside their cells. Most are in bad_files.toml.
"""

from helpers.tables import tables


def study(body: str) -> str:
    return "studies:\n  a: {" + body + "}\n"


GOOD = study("dims: 2, sizes: 50, replicates: 2")


def text_of(row: dict) -> str:
    if "text" in row:
        return row["text"]
    if "title" in row:
        return GOOD + "figures:\n  f: {kind: tail, studies: a, title: " + row["title"] + "}\n"
    whole = study(row["study"]) if "study" in row else GOOD
    old, new = row.get("replace", ("", ""))
    return row.get("before", "") + whole.replace(old, new) + row.get("add", "")


ROWS = tables(__file__)
FILES, FINE = (
    {name: (text_of(row), row.get("says", ())) for name, row in ROWS[kind].items()} for kind in ("refused", "accepted")
)
FILES |= {  # too long to write out, or no text
    "deep nesting": ("studies: " + "{a: " * 60 + "1" + "}" * 60, ("nested",)),
    "a version that is no number": ("%YAML " + "9" * 5000 + ".1\n---\n" + GOOD, ("line 1", "not valid YAML")),
    "endless list": (GOOD.replace("50", "[" + "1," * 10_001 + "]"), ("sizes", "at most 10000", "a range")),
    "many problems": ("".join(f"k{k}: 1\n" for k in range(500)), ("and 481 more problems",)),
    "many digits": (GOOD.replace("50", "9" * 5000), ("sizes", "more than 100 characters")),
    "UTF-16": (GOOD.encode("utf-16"), ("UTF-16", "save it as UTF-8")),
    "Latin-1": ("studies:\n  \xe4: 1\n".encode("latin-1"), ("line 2", "byte 3", "0xe4", "'ä' in Latin-1", "UTF-8")),
    "binary": (bytes(range(1, 256)) * 10, ("line 2", "byte 118", "0x80", "UTF-8")),
}
FINE["a mark of the byte order"] = (b"\xef\xbb\xbf" + GOOD.encode(), ())
