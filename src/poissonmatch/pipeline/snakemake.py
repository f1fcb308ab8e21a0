"""Snakemake in a separate process, with the log lines of this package: `python -P -m poissonmatch.pipeline.snakemake EXECUTOR ARGUMENTS`."""

from __future__ import annotations

import atexit
import gc
import io
import pkgutil
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, suppress

LOGGER = "poissonmatch"
ENVIRONMENT, INTERRUPTED = 3, 130  # exit codes
EXECUTORS = "snakemake_executor_plugin_"


@contextmanager
def only(executor: str) -> Iterator[None]:
    """Hide the executors of Snakemake that are not used.

    Snakemake imports every executor that is installed, and that of Slurm waits ten seconds if no controller answers.
    """
    before = pkgutil.iter_modules

    def fewer() -> Iterator[pkgutil.ModuleInfo]:
        return (found for found in before() if not found.name.startswith(EXECUTORS) or executor in found.name)

    pkgutil.iter_modules = fewer  # type: ignore[assignment]
    try:
        yield
    finally:
        pkgutil.iter_modules = before


def main(executor: str, arguments: list[str]) -> int:
    """Run Snakemake; return 0, the exit code of the first failed job if it is one of this package, 3 (environment), or 130 (interrupted)."""
    with only(executor):
        from snakemake import cli
    from snakemake_interface_logger_plugins.registry import LoggerPluginRegistry

    from . import snakemake_logger

    LoggerPluginRegistry().register_plugin(LOGGER, snakemake_logger)
    said = io.StringIO()  # that it uses a profile, or what is wrong with the arguments
    try:
        with redirect_stderr(said):
            parser, parsed = cli.parse_args([*arguments, "--logger", LOGGER])
    except BaseException:
        sys.stderr.write(said.getvalue())
        raise
    handler = snakemake_logger.LogHandler

    def interrupt(number: int, frame: object) -> None:
        handler.interrupted = True
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, interrupt)
    try:
        with suppress(KeyboardInterrupt):
            if cli.args_to_api(parsed, parser):
                return 0
    finally:
        if handler.bar:
            handler.bar.close()
    if handler.interrupted:
        return INTERRUPTED
    return next((code for code in handler.codes if code < 5), ENVIRONMENT)


if __name__ == "__main__":
    gc.set_threshold(200_000, 100, 100)  # as the command line does
    atexit.register(gc.freeze)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
