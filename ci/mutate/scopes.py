"""Which files a mutant may change, by scope: each family's own C++, what the families share, the programs that the harness calls,
what it judges and counts, and the Python that judges results.

    for scope in scopes.all_scopes(root): scope.name, scope.files, scope.share

`share` says how many mutants a full table has of it; a smaller run is divided in the same proportion.
"""

import fnmatch
import glob
import os
import random
import re
import subprocess
from typing import NamedTuple

_OF_A_FAMILY = 12
PYTHON_FOLDERS = ("gate", "history", "report", "results")  # below tools/
HARNESS_FOLDER = "benchmarks/harness"
# Files that judge nothing: how a program starts, how fast it is, tests and what tests share; and where in a picture lines and
# marks stand, which a person sees.
_NOT_JUDGING = re.compile(r"(__main__|benchmark|browser|fixtures|pictures|synthetic|test_files|\w+_test)\.py")
_PROGRAMS, _DISPATCHER = HARNESS_FOLDER + "/programs/", HARNESS_FOLDER + "/dispatcher/"


def _sources_below(*folders):
    return ["%s/%s/*.%s" % (HARNESS_FOLDER, folder, ending) for folder in folders for ending in ("cc", "h")]


# Name -> (share, patterns of files). Training holds the losses and optimizers; operators also the steps around a model.
_SHARED = {
    "layers": (110, ["models/layers/*/*.cc", "models/layers/*/*.h"]),
    "training": (60, [_PROGRAMS + "training_program.*", _PROGRAMS + "fused_optimizer.*", _PROGRAMS + "gradient_scaler.*"]),
    "operators": (40, [_PROGRAMS + "operator_program.*", _DISPATCHER + "boxed_operator.*", _PROGRAMS + "image_steps.*",
                       _PROGRAMS + "model_program.*"]),
    "programs": (24, [_PROGRAMS + "autocast.*", _PROGRAMS + "generation_program.*", _PROGRAMS + "graph_program.*",
                      _PROGRAMS + "seeded_program.*", _PROGRAMS + "timed_inputs.*"]),
    "verdict": (60, _sources_below("numerics", "runner/verdict")),
    "harness": (60, _sources_below("costs", "sampling", "statistics/describe", "statistics/intervals", "statistics/tests") +
                [HARNESS_FOLDER + "/runner/measuring.*"]),
    "python": (60, ["tools/%s/*.py" % folder for folder in PYTHON_FOLDERS]),
}
# Code that every case goes through, or that judges, counts and prints figures: all cases would find its faults, or none would. So the
# harness's own tests must find them.
_OF_ITS_OWN_TESTS = ("training", "programs", "verdict", "harness")
SHARED = tuple(_SHARED)


class Scope(NamedTuple):
    name: str
    files: list  # sorted paths, relative to the root
    share: int


def _sources(root, patterns):
    paths = [path for pattern in patterns for path in glob.glob(os.path.join(glob.escape(root), pattern))]
    return sorted(os.path.relpath(path, root) for path in paths if _is_source(os.path.basename(path)))


def _is_source(name):
    if name.endswith(".py"):
        return not _NOT_JUDGING.fullmatch(name)
    return name.endswith((".cc", ".h")) and not name.endswith(("_test.cc", "_benchmark.cc"))


def is_harness(path):
    """Whether the harness's own tests must find the faults of a file."""
    folder, name = os.path.split(path)
    patterns = [os.path.split(pattern) for scope in _OF_ITS_OWN_TESTS for pattern in _SHARED[scope][1]]
    return any(folder == where and fnmatch.fnmatchcase(name, what) for where, what in patterns)


def _family_folders(root):
    """Folders with a family's C++: those of models/, and packages of third parties that bring everything in one folder."""
    listed = subprocess.run(["sh", os.path.join(root, "tools/deps/find_families.sh"), root], capture_output=True, text=True,
                            check=True).stdout.split()
    own = glob.glob(os.path.join(glob.escape(root), "models/*/variants.bzl"))
    return [os.path.relpath(os.path.dirname(path), root) for path in own] + [p for p in listed if not p.startswith("benchmarks/")]


def all_scopes(root):
    """Every family by name, then what they share."""
    families = [Scope(os.path.basename(folder), _sources(root, [folder + "/*.cc", folder + "/*.h"]), _OF_A_FAMILY)
                for folder in sorted(set(_family_folders(root)))]
    shared = [Scope(name, _sources(root, patterns), share) for name, (share, patterns) in _SHARED.items()]
    return [scope for scope in sorted(families) + shared if scope.files]


def divided(count, scopes, seed):
    """{name: number} of `count` mutants by the scopes' shares: those with the largest remainder get what is left."""
    total = sum(scope.share for scope in scopes)
    exact = {scope.name: count * scope.share / total for scope in scopes}
    given = {name: int(number) for name, number in exact.items()}
    names = sorted(exact)
    random.Random(seed).shuffle(names)  # who comes first of equals
    for name in sorted(names, key=lambda name: given[name] - exact[name])[:count - sum(given.values())]:
        given[name] += 1
    return given
