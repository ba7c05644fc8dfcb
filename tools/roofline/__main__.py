"""Starts program.py: python -m tools.roofline, under @results_python."""

import os
import sys

from tools.roofline.program import main

if __name__ == "__main__":
    code = main(sys.argv[1:], os.environ, sys.stdout, sys.stderr)
    sys.stderr.flush()
    os._exit(code)  # Python would write to a closed pipe or a full disk once more, fail, and end with 120
