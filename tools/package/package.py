"""Packs programs, cases, references and LibTorch into a folder that runs on another x86-64 Linux, without Bazel, compiler,
network or root. There: ./assay --help

  tools/bazel run //tools:package -- --out=assay.tar.xz                                            run_model, compare, all cases
  tools/bazel run //tools:package -- //benchmarks/resnet:resnet50_fp32_b8 --out=resnet.tar.xz      one case
  tools/bazel run //tools:package -- //tools:run_model --out=model.tar.gz                          for models that are files
  tools/bazel run //tools:package -- //benchmarks/mlp //tools:compare --out=folder                 the cases of a package

--out ends with .tar.xz or .tar.gz, or it is a folder that is not there yet. It holds programs, cases, references, LibTorch's libraries for
the CPU, and the system libraries of this machine, for machines whose own are older. All cases: those whose references are in the tree.

Exit codes: 0 packed, 2 the machine or the setup (Bazel, files), 3 the command line.
"""

import contextlib
import difflib
import glob
import os
import platform
import re
import shutil
import sys
import tempfile

from artifacts.fetch.ending import OK, SurroundingsError, UsageError
from tools.package import staging
from tools.processes.command import Bazel, parser, run, run_program, workspace

_PROGRAMS = {  # label -> name in the package, target
    "//tools:compare": ("compare", "//tools/compare:compare"),
    "//tools:run_model": ("model", "//tools/run_model:run_model"),
}
_RUNPATH = "$ORIGIN/../libtorch/torch/lib"
_PRESET = 6  # of xz and gzip
_NAME = "assay"  # of the folder in an archive


class Chosen:
    """The choice of a command line: `programs` by label, `families`, and `labels` of single cases."""

    def __init__(self, words, all_families):
        self.programs = [w for w in words if w in _PROGRAMS]
        rest = [w for w in words if w not in _PROGRAMS]
        for word in rest:
            if not re.fullmatch(r"//[^:]+(:[^:/]+)?", word):
                raise UsageError("%s is no //PACKAGE:CASE, no //PACKAGE and none of %s" % (word, ", ".join(_PROGRAMS)))
            if word[2:].partition(":")[0] not in all_families:
                raise UsageError("%s: no package of that name holds cases%s" % (word, near(word[2:].partition(":")[0], all_families)))
        self.labels = [w for w in rest if ":" in w]
        self.everything = not words
        if self.everything:
            self.programs = list(_PROGRAMS)
        self.whole = all_families if self.everything else [w[2:] for w in rest if ":" not in w]
        self.families = sorted({*self.whole, *(w[2:].partition(":")[0] for w in self.labels)})

    def targets(self):
        """{name in programs/: label} of what Bazel has to build beside the cases."""
        found = dict(_PROGRAMS[label] for label in self.programs)
        if self.families:
            alone = len(self.families) == 1
            found["runner"] = "//%s:runner" % self.families[0] if alone else "//benchmarks:gpu_runner"
            found["test"] = "//benchmarks/harness/runner/series:cases_test_main"
        return found


def near(name, names):
    found = difflib.get_close_matches(name, names, 1)
    return "; did you mean %s?" % found[0] if found else ""


def chosen_cases(chosen, resolved, blobs):
    """(cases of the package, labels that are verified by default). Of all cases, those whose references are in `blobs`."""
    known = [c["benchmark_case"]["label"] for c in resolved]
    for label in chosen.labels:
        if label not in known:
            raise UsageError("%s: no such case%s" % (label, near(label, known)))
    whole = [c for c in resolved if c["benchmark_case"]["label"][2:].partition(":")[0] in chosen.whole]
    if chosen.everything:
        whole = [c for c in whole if not c.get("reference") or c["reference"].get("sha256") in blobs]
    order, firsts = staging.verify_order(whole)
    alone = [c for c in resolved if c["benchmark_case"]["label"] in chosen.labels and c not in whole]
    return whole + alone, chosen.labels + [label for label in (order[:firsts] if chosen.everything else order) if label not in chosen.labels]


def _path(label):
    package, _, name = label[2:].partition(":")
    return os.path.join(staging.BIN, package, name)


def _reference(label):
    """The path of a case's reference, which Bazel has fetched where it is not in the tree; "" of one that has none."""
    with open(_path(label), encoding="utf-8") as f:
        script = f.read()
    path = re.search(r'--locked-reference="\$w/([^"]+)"', script)
    return path and os.path.join(_path(label) + ".runfiles", re.search(r'^w="\$r/(\w+)"', script, re.M)[1], path[1])


def _blobs(chosen):
    found = staging.blobs_of_the_tree()
    for label in chosen.labels:
        path = _reference(label)
        if path:
            found[re.search(r"[0-9a-f]{64}", path)[0]] = os.path.realpath(path)
    for family in chosen.families:
        with contextlib.suppress(FileNotFoundError):
            names = os.listdir(os.path.join(family, "blobs"))
            found.update({name.partition(".")[0]: os.path.join(family, "blobs", name) for name in names})
    return found


def _stage_libraries(stage, programs, site, without_libtorch):
    """LibTorch as it lies in its site-packages folder, and what the programs need of this system, with its loader."""
    site = os.path.realpath(site)
    for name, path in staging.libraries(programs).items():
        path = os.path.realpath(path) if path.startswith(site + os.sep) else path
        if path.startswith(site + os.sep):
            if not without_libtorch:
                staging.copy(path, os.path.join(stage, "libtorch", os.path.relpath(path, site)))
        else:
            staging.copy(path, os.path.join(stage, "lib", name or "loader"))
            _stage_license(stage, path)
    os.chmod(os.path.join(stage, "lib/loader"), 0o755)
    for license_file in [] if without_libtorch else glob.glob(site + "/torch-*.dist-info/licenses/*"):
        staging.copy(license_file, os.path.join(stage, "licenses/torch", os.path.basename(license_file)))


def _stage_license(stage, path):
    """Copies the license of the package that installed a library, where this system has dpkg."""
    for owned in (path, "/usr" + path):  # /lib is a link, and packages know a file by one of both names
        with contextlib.suppress(SurroundingsError):
            package = run(["dpkg", "-S", owned], ".").out.partition(":")[0]
            source = "/usr/share/doc/%s/copyright" % package
            if package and os.path.exists(source):
                staging.copy(source, os.path.join(stage, "licenses", package))


def stage_package(stage, chosen, site, without_libtorch):
    """Fills the folder out of what Bazel has built. Returns a line that says what is in it."""
    built = {name: _path(label) for name, label in chosen.targets().items()}
    os.makedirs(os.path.join(stage, "bin"))
    for name, path in built.items():
        staging.program(path, os.path.join(stage, "programs", name), _RUNPATH)
        os.symlink("../assay", os.path.join(stage, "bin", name))
    _stage_libraries(stage, built.values(), site, without_libtorch)
    blobs = _blobs(chosen)
    resolved, verified = chosen_cases(chosen, staging.resolved_cases(chosen.families), blobs)
    if resolved:
        staging.cases(stage, resolved, verified, blobs)
    staging.copy("LICENSE", os.path.join(stage, "licenses/assay"))
    staging.copy("tools/package/assay.sh", os.path.join(stage, "assay"))
    os.chmod(os.path.join(stage, "assay"), 0o755)
    staging.write(stage, "built.txt", "Assay %s, torch %s, %s %s\n" % (
        staging.commit(), staging.torch_version(site), *platform.libc_ver()))
    staging.manifest(stage)
    return "%s; %d cases, %d of them verified by default" % (", ".join(sorted(chosen.targets())), len(resolved), len(verified))


def _size(stage):
    return sum(os.lstat(os.path.join(at, name)).st_size for at, _, names in os.walk(stage) for name in names)


def main(arguments, environment, out):
    options = parser("package", __doc__)
    options.add_argument("targets", nargs="*", metavar="TARGET", help="//PACKAGE:CASE, //PACKAGE, //tools:run_model, //tools:compare")
    options.add_argument("--out", required=True, help="FILE.tar.xz, FILE.tar.gz, or a new folder")
    options.add_argument("--without-libtorch", action="store_true", help="there, LIBTORCH_PATH names a site-packages folder with torch")
    given = options.parse_args(arguments)
    root = workspace(environment)
    path = os.path.join(environment.get("BUILD_WORKING_DIRECTORY", root), given.out)
    packed = path.endswith(staging.ARCHIVES)
    if not packed and os.path.exists(path):
        raise UsageError("--out=%s is there already; name a new folder" % given.out)
    os.chdir(root)
    families = staging.output_of(["sh", "tools/deps/find_families.sh", "."]).split()
    chosen = Chosen(given.targets, families)
    bazel = Bazel(root)
    labels = [*chosen.targets().values(), *chosen.labels]
    print("building  %s" % ", ".join(labels), file=sys.stderr, flush=True)
    if chosen.families:
        bazel.run("build", *("//%s:cases" % family for family in chosen.families))
        chosen_cases(chosen, staging.resolved_cases(chosen.families), {})  # are they there?
    bazel.run("build", *labels)
    site = os.path.join(bazel.info()["output_base"], "external/libtorch/site")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".package-", dir=os.path.dirname(path)) as folder:
        stage = os.path.join(folder, _NAME)
        content = stage_package(stage, chosen, site, given.without_libtorch)
        size = _size(stage)
        print("packing   %.0f MB" % (size / 1e6), file=sys.stderr, flush=True)
        if packed:
            archived = staging.archive(stage, path, _NAME, _PRESET)
            print("%s: %.1f MB, unpacked %.0f MB; %s" % (given.out, archived / 1e6, size / 1e6, content), file=out)
        else:
            shutil.move(stage, path)
            print("%s: %.0f MB; %s" % (given.out, size / 1e6, content), file=out)
    return OK


if __name__ == "__main__":
    sys.exit(run_program("package", main))
