"""Help of a group of commands: in sections and in the order of use, with the whole first line about each command."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from typer.core import TyperGroup


def sectioned(sections: Mapping[str, Sequence[str]]) -> type[TyperGroup]:
    """Return a class of groups whose help lists these commands under these headings."""

    class Sectioned(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            """Return the commands in the order of the sections, and then the others."""
            listed = [name for names in sections.values() for name in names if name in self.commands]
            return [*listed, *(name for name in self.commands if name not in listed)]

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            """Write the sections; hidden commands are left out."""
            for heading, names in sections.items():
                shown = [(name, self.commands[name]) for name in names if name in self.commands]
                with formatter.section(heading):
                    formatter.write_dl([(name, first_line(command)) for name, command in shown if not command.hidden])

    return Sectioned


def first_line(command: Any) -> str:
    """Return the first line of the help of a command."""
    return (command.help or "").strip().partition("\n")[0]
