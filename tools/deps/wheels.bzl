"""Fetches pinned Python wheels for repository rules: hashes checked by pip, nothing installed."""

load(":versions.bzl", "WHEEL_PLATFORMS")

def download_wheels(ctx, wheels, python_version, folder, hint):
    """Puts the wheels into `folder` of the repository being made.

    Args:
      ctx: the repository_ctx.
      wheels: name -> (version, sha256).
      python_version: "3.11"; that of the wheels, not of the Python that runs pip.
      folder: where to, relative to the repository.
      hint: what the user can do instead, ends the error message.
    """
    python = ctx.which("python3")
    if not python:
        fail("@%s: no python3 on PATH to run pip with (apt-get install python3-pip). %s" % (ctx.name, hint))
    ctx.file(folder + "/requirements.txt", "".join([
        "%s==%s --hash=sha256:%s\n" % (name, version, sha256)
        for name, (version, sha256) in sorted(wheels.items())
    ]))
    ctx.report_progress("downloading %d wheels" % len(wheels))
    platforms = []
    for p in WHEEL_PLATFORMS:
        platforms += ["--platform", p]
    result = ctx.execute(
        [python, "-m", "pip", "download", "-q", "--disable-pip-version-check", "--no-deps", "--require-hashes", "--only-binary=:all:"] +
        ["--python-version", python_version, "--implementation", "cp"] + platforms +
        ["--dest", folder, "-r", folder + "/requirements.txt"],
        timeout = 3600,
    )
    if result.return_code:
        fail("@%s: pip could not fetch the pinned wheels (tools/deps/versions.bzl):\n%s\n%s" % (ctx.name, result.stderr, hint))
