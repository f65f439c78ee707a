"""Code blocks of the pages in docs/, for the tests that run them."""

import os
import re

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "docs")


def page(name):
    with open(os.path.join(DOCS, name), encoding="utf-8") as file:
        return file.read()


def blocks(text, language=None):
    """(language, code) of each fenced block, or the code of those in one language."""
    found = re.findall(r"^```(\w+)\n(.*?)^```$", text, re.S | re.M)
    return found if language is None else [code for kind, code in found if kind == language]


def section(text, heading):
    return re.split(r"^#+ ", text.split(f"## {heading}\n", 1)[1], maxsplit=1, flags=re.M)[0]
