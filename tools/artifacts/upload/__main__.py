"""Starts program.py: python -m tools.artifacts.upload (under @gcs_python where the bucket is Google's)."""

import os
import sys

from tools.artifacts.upload.program import main

if __name__ == "__main__":
    # Not sys.exit(): threads that wait for a server would keep the user waiting, and Python would write to a full disk
    # once more, fail, and end with 120.
    os._exit(main(sys.argv[1:], os.environ, sys.stdout))
