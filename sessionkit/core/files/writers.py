"""Whether anybody has a file open for writing, asked of the kernel."""

from __future__ import annotations

import fcntl
import signal
import sys


def has_writer(descriptor: int) -> bool:
    """Whether a file that this process reads is open for writing anywhere on this host.

    Linux grants a read lease only while it is not. False also where nobody can tell: on other systems, on network file
    systems, and for another user's file.
    """
    if sys.platform != "linux":
        return False
    # A writer that comes while the lease is held makes the kernel send a signal: SIGIO, which would end this process. SIGURG does nothing.
    fcntl.fcntl(descriptor, fcntl.F_SETSIG, signal.SIGURG)
    try:
        fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_RDLCK)
    except BlockingIOError:
        return True
    except OSError:
        return False
    fcntl.fcntl(descriptor, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    return False
