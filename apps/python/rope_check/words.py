"""Puts the program's messages into Python's terms: options become keyword arguments, and files become arrays."""

import re

_OTHERWISE = {"input": "x", "result": "y", "axis-positions": "positions=", "json": "document"}
_FLAGS = ("bfloat16", "details", "explain", "inverse", "list", "quiet", "strict")
# A value contains a digit or a sign, stands for a number (N), or is one of the words that options accept.
_VALUE = re.compile(r"(?:=|\s+)((?:[\w.@+-]*[\d:=@][\w.:;=+@−…-]*(?:,[\w.:;=+@−…-]+)*|[A-Z]+|interleaved|half|exact|linear|"
                    r"dynamic|yarn|longrope|tokens-first|axes-first)(?<![.,:;]))(?![\w-])")
_OPTION = re.compile(r"(?<![\w-])--([a-z][a-z0-9-]*)")
# What is for a shell stays as it is: a line with a command, or a command within a sentence, wherever its lines break.
_WORD = r"(?:--?[a-z][\w-]*|[\w./-]+\.[a-z]+\b|\d[\w.,:]*|half|interleaved|[A-Z]+)"
_COMMAND = re.compile(r"(?m)^.*\brope [a-z]+ [^:\n]*--.*(?:\\\n.*)*$|"
                      rf"\brope\s+[a-z]+(?:\s+{_WORD})+(?:\s+\(and\s+--[^)]*\))?")


def in_python(text: str) -> str:
    """Puts a message of the program into the terms of this package.

    >>> in_python("They would pass with --layout interleaved; --token-axis says which axis is meant.")
    'They would pass with layout="interleaved"; token_axis= says which axis is meant.'
    >>> in_python("Give --scaling yarn:factor=4,original=32768, or --start 3 beside --bfloat16.")
    'Give scaling="yarn:factor=4,original=32768", or start=3 beside bfloat16=True.'
    >>> print(in_python("Reorder the rows: rope convert\\nm.safetensors --from half --to interleaved -o n.safetensors."))
    Reorder the rows: rope convert
    m.safetensors --from half --to interleaved -o n.safetensors.
    """
    text = re.sub(r"\b(x|y|positions)\.safetensors(:tensor)?", r"\1", text)
    said, at = "", 0
    for command in [*_COMMAND.finditer(text), None]:
        said += _options(text[at:command.start() if command else len(text)])
        if command:
            said += command.group()
            at = command.end()
    return said


def _options(text: str) -> str:
    said, at = "", 0
    for option in _OPTION.finditer(text):
        name = option.group(1)
        said += text[at:option.start()]
        at = option.end()
        value = _VALUE.match(text, at) if name not in _OTHERWISE and name not in _FLAGS else None
        argument = name.replace("-", "_") + ("=True" if name in _FLAGS else "=")
        said += _OTHERWISE.get(name, argument).rstrip("=" if text[at:at + 1] == ":" else "")  # "dim: expected …"
        if value:
            number = re.fullmatch(r"-?\d+(\.\d*)?(e[+-]?\d+)?|[A-Z]+", value.group(1))
            said += value.group(1) if number else f'"{value.group(1)}"'
            at = value.end()
    return said + text[at:]
