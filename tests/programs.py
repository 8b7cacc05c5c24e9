"""What a program of snippets/ defines."""

import types

from handbook import snippets
from handbook.places import SNIPPETS


def executed(name: str) -> dict:
    """The names of a program, once it has run in this process; name: its path below snippets/."""
    module = types.ModuleType("program")
    exec(snippets.read(SNIPPETS / name).code, vars(module))
    return vars(module)
