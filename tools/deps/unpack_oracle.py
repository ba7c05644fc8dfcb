"""Unpacks whole wheels into one site folder, less what no oracle reads.  usage: unpack_oracle.py SITE WHEEL_FOLDER"""

import os
import sys
import zipfile

# C++ headers and the profilers' libraries (never needed by `import torch`), and Bazel files that would make packages.
_UNUSED_FOLDERS = ("torch/include/", "torch/share/")
_UNUSED_FILES = ("libnvperf", "libpcsampling", "libcheckpoint", "BUILD", "WORKSPACE")


def wanted(name):
    base = os.path.basename(name)
    if base.endswith(".a") or base.startswith(_UNUSED_FILES):
        return False
    return not name.startswith(_UNUSED_FOLDERS)


def site_name(name):
    """The path to which a member belongs: `X.data/purelib/` and `X.data/platlib/` mean the site itself, other data is not for it."""
    parts = name.split("/")
    if not parts[0].endswith(".data"):
        return name
    return "/".join(parts[2:]) if len(parts) > 2 and parts[1] in ("purelib", "platlib") else ""


def main(site, wheel_folder):
    for wheel in sorted(f for f in os.listdir(wheel_folder) if f.endswith(".whl")):
        with zipfile.ZipFile(os.path.join(wheel_folder, wheel)) as archive:
            for member in archive.infolist():
                member.filename = site_name(member.filename)
                if member.filename and not member.is_dir() and wanted(member.filename):
                    archive.extract(member, site)


if __name__ == "__main__":
    main(*sys.argv[1:])
