"""Snakemake in a process of its own, with our screen: `python -P -m poissonmatch.pipeline.snakemake ARGUMENTS`."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr

LOGGER = "poissonmatch"
ENVIRONMENT = 3  # exit code


def main(arguments: list[str]) -> int:
    """Run Snakemake: 0, or the exit code of the first job that failed if it is one of ours, or 3 (environment)."""
    from snakemake import cli
    from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

    from . import screen

    LoggerPluginRegistry().register_plugin(LOGGER, screen)
    said = io.StringIO()  # that it uses a profile, or what is wrong with the arguments
    try:
        with redirect_stderr(said):
            parser, parsed = cli.parse_args([*arguments, "--logger", LOGGER])
    except BaseException:
        sys.stderr.write(said.getvalue())
        raise
    if cli.args_to_api(parsed, parser):
        return 0
    return next((code for code in screen.LogHandler.codes if code < 5), ENVIRONMENT)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
