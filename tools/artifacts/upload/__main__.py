"""Starts program.py: python -m tools.artifacts.upload (under @gcs_python where the bucket is Google's)."""

import os
import sys

from tools.artifacts.upload.program import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], os.environ, sys.stdout))
