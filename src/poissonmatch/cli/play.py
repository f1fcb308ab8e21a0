"""The command line of the frog games."""

from ..frogs.play import play_command

__all__ = ["play_command"]
