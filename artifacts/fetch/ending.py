"""How the Python programs of this tree end: one line about what went wrong, and the exit code that says whose fault it is.

    sys.exit(ended("locate", lambda: run(sys.argv[1:])))      # the code that run() returned, or 2, 3, 130 by what it raised

0 right, 1 the product is wrong, 2 the machine or the setup is, 3 the command line is; 130 Ctrl-C or SIGTERM. An exception with a number `code` ends
with that. Anything else that is raised is a fault of the program: Python prints its trace and ends with 1.
"""

import contextlib
import os
import signal
import sys
import threading

from artifacts.fetch.redaction import redact

OK, WRONG, SURROUNDINGS, USAGE, INTERRUPTED = 0, 1, 2, 3, 130


class UsageError(Exception):
    """The command line, or a variable of the environment, is wrong."""


class SurroundingsError(Exception):
    """Files, git, a program or the machine are not as needed."""


@contextlib.contextmanager
def _stopped_by_sigterm():
    """SIGTERM does what Ctrl-C does, so that temporary folders go. A copy of this process (fork) ends as it would without this."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    owner = os.getpid()

    def stop(number, _frame):
        if os.getpid() == owner:
            raise KeyboardInterrupt
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def ended(name, work, out=None, err=None, usage=(), surroundings=(), interrupted="stopped"):
    """The exit code of work(); what ended it is said on `err`. `usage` and `surroundings`: exceptions that mean the same."""
    out, err = out or sys.stdout, err or sys.stderr
    try:
        with _stopped_by_sigterm():
            code = work()
        out.flush()
        return code
    except BrokenPipeError:
        return OK  # whoever read had enough
    except KeyboardInterrupt:
        code, said = INTERRUPTED, interrupted
    except (UsageError, *usage) as error:
        code, said = USAGE, "%s\nSee --help." % error
    except (SurroundingsError, OSError, *surroundings) as error:
        code, said = SURROUNDINGS, str(error)
    except Exception as error:
        if not isinstance(getattr(error, "code", None), int):
            raise
        code, said = error.code, str(error)
    with contextlib.suppress(OSError):
        print(redact("%s: %s" % (name, said)), file=err)
    return code
