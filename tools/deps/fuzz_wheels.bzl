"""Atheris, libFuzzer for Python: @fuzz_python, 30 MB to fetch, for tools/artifacts/fuzz/fuzz_python.py only."""

# name -> (version, sha256 of the wheel)
FUZZ_WHEELS = {
    "atheris": ("3.0.0", "8a5c8a781467c187da40fd29139784193e2647058831f837f675d0bb8cbd8746"),
}
