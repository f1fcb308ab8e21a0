"""The module os, of which one call fails."""

import errno
import os
import signal

WATCHED = ("open", "write", "fsync", "close", "replace")  # the calls of files.write_atomically
FAULTS = {
    "ENOSPC": errno.ENOSPC,
    "EIO": errno.EIO,
    "EINTR": errno.EINTR,
    "half a write, then ENOSPC": errno.ENOSPC,
    "kill -9": None,
}


class Faulty:
    """The module os, of which the n-th watched call fails."""

    def __init__(self, at: int, fault: str) -> None:
        self.at, self.fault, self.calls = at, fault, 0

    def __getattr__(self, name: str):
        real = getattr(os, name)
        if name not in WATCHED:
            return real

        def call(*args, **keywords):
            self.calls += 1
            if self.calls != self.at:
                return real(*args, **keywords)
            if self.fault == "kill -9":
                os.kill(os.getpid(), signal.SIGKILL)
            if self.fault.startswith("half") and name == "write":
                real(args[0], bytes(args[1])[: len(args[1]) // 2])
            raise OSError(FAULTS[self.fault], os.strerror(FAULTS[self.fault]), str(args[0]))

        return call
