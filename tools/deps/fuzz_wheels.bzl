"""Atheris, libFuzzer for Python: @fuzz_python, 30 MB to fetch, for ci/fuzz/fuzz_python.py only."""

# A table of wheels (wheels.bzl).
FUZZ_WHEELS = {
    "atheris": ("3.0.0", {
        "3.11": "8a5c8a781467c187da40fd29139784193e2647058831f837f675d0bb8cbd8746",
        "3.12": "510e502c57b6dc615fb174066407af620d4c7f73cf08a782c86e7761bf12c4eb",
        "3.13": "a402cdca8a650d1371050b1f9552eb4cdc488d2db64950d603c4560318365eac",
    }),
}
