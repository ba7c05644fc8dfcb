#!/bin/sh
# Starts spread_subject.py under @oracle_python, in the runfiles folder that the certificate runs in. The star: MODULE.bazel
# puts words of its own before the name.
exec ../*oracle_python/bin/python -m ci.certify.spread_subject "$@"
