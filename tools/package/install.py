"""Installs the sampling engine, the statistics and the verdict as C++ libraries, for programs with a main() of their own.

  tools/bazel run //tools:install -- --prefix=/opt/assay
  tools/bazel run //tools:install -- --prefix=/opt/assay --without-libtorch      engine and statistics alone

The prefix may be moved. CMake: find_package(Assay COMPONENTS engine numerics). pkg-config: assay-engine, assay-numerics.
Abseil (20220623.1) is in the archive, and its headers are in the prefix. numerics also needs Debian's libprotobuf-dev and libssl-dev,
and LIBTORCH_PATH, the site-packages folder of an installed torch.

Exit codes: 0 installed, 2 the machine or the setup (Bazel, files), 3 the command line.
"""

import os
import re
import sys

from artifacts.fetch.ending import OK
from tools.package import staging
from tools.processes.command import Bazel, parser, run_program, workspace

_COMPONENTS = ("engine", "numerics")
_INCLUDE = re.compile(r'^( *# *include ")([^"]+)(")', re.MULTILINE)
_FILES = "tools/package/prefix"


def installed_include(path):
    """The name under which an installed header includes another one."""
    for ours, there in (("benchmarks/harness/", "assay/"), ("defs/", "assay/defs/"), ("models/", "assay/models/")):
        if path.startswith(ours):
            return there + path[len(ours):]
    return path


def reached(texts):
    """Names of the headers that a user can include (those in assay/), and of all that they include in turn."""
    found, rest = set(), [name for name in texts if name.startswith("assay/")]
    while rest:
        name = rest.pop()
        if name in texts and name not in found:
            found.add(name)
            rest += [match[1] for match in _INCLUDE.findall(texts[name])]
    return found


def headers(rows, read):
    """{name below include/: text} out of rows of (path, name)."""
    texts = {name: _INCLUDE.sub(lambda m: m[1] + installed_include(m[2]) + m[3], read(path)) for path, name in rows}
    return {name: texts[name] for name in reached(texts)}


def _read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def install(prefix, components):
    version = staging.commit()
    execution_root = os.path.realpath("bazel-out/..")  # where paths of actions begin
    for component in components:
        built = os.path.join(staging.BIN, "tools/package")
        name = "libassay_%s.a" % component
        staging.copy(os.path.join(built, name), os.path.join(prefix, "lib", name))
        rows = [line.split("\t") for line in _read(os.path.join(built, component + ".headers")).splitlines()]
        for name, text in headers(rows, lambda path: _read(os.path.join(execution_root, path))).items():
            staging.write(prefix, os.path.join("include", name), text)
        staging.write(prefix, "lib/pkgconfig/assay-%s.pc" % component, _read("%s/assay-%s.pc" % (_FILES, component)).replace("@VERSION@", version))
    staging.write(prefix, "lib/cmake/Assay/AssayConfig.cmake", _read(_FILES + "/AssayConfig.cmake").replace("@VERSION@", version))


def size(prefix):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(prefix) for name in names)


def main(arguments, environment, out):
    options = parser("install", __doc__)
    options.add_argument("--prefix", required=True, help="a folder; files of an earlier version are replaced")
    options.add_argument("--without-libtorch", action="store_true", help="no numerics")
    given = options.parse_args(arguments)
    root = workspace(environment)
    prefix = os.path.join(environment.get("BUILD_WORKING_DIRECTORY", root), given.prefix)
    components = _COMPONENTS[:1] if given.without_libtorch else _COMPONENTS
    os.chdir(root)
    bazel = Bazel(root)
    bazel.run("build", *("//tools/package:" + component for component in components))
    install(prefix, components)
    print("%s: %.1f MB; %s" % (given.prefix, size(prefix) / 1e6, ", ".join(components)), file=out)
    return OK


if __name__ == "__main__":
    sys.exit(run_program("install", main))
