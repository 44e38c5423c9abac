"""Whether anybody has a file open for writing, asked of the kernel."""

from __future__ import annotations

import fcntl
import signal
import sys


def has_writer(descriptor: int) -> bool:
    """Whether a file that this process reads is open for writing anywhere on this host.

    Linux grants a read lease only while it is not. False also where nobody can tell: on other systems, on network file
    systems, in a sandbox that refuses to ask, and for another user's file.
    """
    if sys.platform != "linux":
        return False
    try:
        # To a writer that comes while the lease is held the kernel answers with a signal: SIGIO, which would end this process.
        # SIGURG does nothing.
        fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False
