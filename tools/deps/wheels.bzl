"""Fetches pinned Python wheels for repository rules: hashes checked by pip, nothing installed.

A table of wheels is name -> (version, sha256). A package that has a wheel for each version of CPython has a dictionary in
the digest's place: {"3.11": sha256, ...}; a version that is not there has no wheel.
"""

load(":versions.bzl", "WHEEL_PLATFORMS")

# The versions of CPython that tables of wheels speak of, the first that is here and that all of a table's packages have
# is taken. Debian 12's comes first, because the references were computed by it.
PYTHONS = ["3.11", "3.12", "3.13", "3.14", "3.10"]

def pythons_of(wheels):
    """The versions of CPython for which every package of a table has a wheel, in the order of PYTHONS."""
    return [v for v in PYTHONS if not [1 for _, sha in wheels.values() if type(sha) == "dict" and v not in sha]]

def _digest(sha, python_version):
    return sha[python_version] if type(sha) == "dict" else sha

def download_wheels(ctx, wheels, python_version, folder, hint, machine = "x86_64"):
    """Puts the wheels into `folder` of the repository being made.

    Args:
      ctx: the repository_ctx.
      wheels: a table as above.
      python_version: "3.11", one of pythons_of(wheels); that of the wheels, not of the Python that runs pip.
      folder: where to, relative to the repository.
      hint: what the user can do instead, ends the error message.
      machine: for which the wheels are, a key of WHEEL_PLATFORMS.
    """
    python = ctx.which("python3")
    if not python:
        fail("@%s: no python3 on PATH to run pip with (apt-get install python3-pip). %s" % (ctx.name, hint))
    ctx.file(folder + "/requirements.txt", "".join([
        "%s==%s --hash=sha256:%s\n" % (name, version, _digest(sha, python_version))
        for name, (version, sha) in sorted(wheels.items())
    ]))
    ctx.report_progress("downloading %d wheels" % len(wheels))
    platforms = []
    if machine not in WHEEL_PLATFORMS:
        fail("@%s: no wheels are pinned for a machine of kind %s. %s" % (ctx.name, machine, hint))
    for p in WHEEL_PLATFORMS[machine]:
        platforms += ["--platform", p]
    result = ctx.execute(
        [python, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary=:all:"] +
        ["--python-version", python_version, "--implementation", "cp"] + platforms +
        ["--dest", folder, "-r", folder + "/requirements.txt"],
        timeout = 3600,
    )
    if result.return_code:
        fail("@%s: pip could not fetch the pinned wheels (tools/deps/versions.bzl):\n%s\n%s" % (ctx.name, result.stderr, hint))
