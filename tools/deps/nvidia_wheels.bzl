"""Fetches and unpacks NVIDIA's wheels for repository rules, one after the other: together they are gigabytes."""

load(":wheels.bzl", "download_wheels")

# Attributes that a rule needs for calling these functions.
UNPACK = {"_unpack": attr.label(default = "//tools/deps:unpack_libtorch.py")}

# Any Python 3 will do: the wheels hold no Python code that is started here.
_PYTHON = "3.11"

def unpack_wheels(ctx, flavour, out):
    """Unpacks the folder `wheels` of the repository into its folder `out`, and deletes it.

    Args:
      ctx: the repository_ctx of a rule with UNPACK.
      flavour: cpu, cuda or toolkit: what of the wheels is wanted (unpack_libtorch.py).
      out: where to, relative to the repository.
    """
    ctx.report_progress("unpacking")
    result = ctx.execute([ctx.which("python3"), ctx.path(ctx.attr._unpack), flavour, out, "wheels"], timeout = 3600)
    if result.return_code:
        fail("@%s: %s" % (ctx.name, result.stderr))
    ctx.delete("wheels")

def require_room(ctx, line, megabytes, out, hint):
    """Says what is fetched next, and fails where the disk has no room for it.

    Args:
      ctx: the repository_ctx of a rule with UNPACK.
      line: what is said.
      megabytes: how much room there must be.
      out: the folder whose disk it is, relative to the repository.
      hint: what the user can do instead, ends the error message.
    """

    # quiet = False: what print() says appears only once the repository is there.
    room = ctx.execute(
        ["python3", ctx.path(ctx.attr._unpack), "room", str(ctx.path(out)), str(megabytes), line],
        quiet = False,
    )
    if room.return_code:
        fail("@%s: %s\n%s" % (ctx.name, room.stderr, hint))

def fetch_nvidia_wheels(ctx, wheels, megabytes, why, flavour, out, hint):
    """Says how much comes and where to, sees that there is room, then fetches and unpacks the wheels.

    Args:
      ctx: the repository_ctx of a rule with UNPACK.
      wheels: name -> (version, sha256).
      megabytes: struct(fetched, unpacked) of all of them.
      why: begins the line that is said before.
      flavour: as of unpack_wheels().
      out: as of unpack_wheels().
      hint: what the user can do instead, ends the error messages.
    """
    line = "%s: fetching %d pinned NVIDIA wheels, %d MB, unpacked %d MB in %s" % (
        why,
        len(wheels),
        megabytes.fetched,
        megabytes.unpacked,
        ctx.path(out),
    )
    require_room(ctx, line, megabytes.unpacked, out, hint)
    for name, pin in sorted(wheels.items()):
        download_wheels(ctx, {name: pin}, _PYTHON, "wheels", hint)
        unpack_wheels(ctx, flavour, out)
