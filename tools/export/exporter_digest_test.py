"""The digest by which kept modules are named changes with every source of the exporter, and with its packages."""

import ast
import hashlib
import os
import re
import unittest

_HERE = os.path.dirname(os.path.abspath(__file__))
_DEPS = os.path.join(os.path.dirname(_HERE), "deps")
_PACKAGES = ("onnx_wheels.bzl", "oracle_wheels.bzl", "stablehlo_python.bzl")
_STARTED = "with_packages.py"  # what export_model starts where it needs more packages


def imported(name, found):
    """The modules of this folder that one of them imports, and those that they import, wherever the import stands."""
    if name in found:
        return found
    found.add(name)
    with open(os.path.join(_HERE, name), encoding="utf-8") as f:
        for node in ast.walk(ast.parse(f.read())):
            names = []
            if isinstance(node, ast.ImportFrom) and node.module == "tools.export":
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tools.export."):
                names = [node.module.rsplit(".", 1)[1]]
            elif isinstance(node, ast.Import):
                names = [a.name.rsplit(".", 1)[1] for a in node.names if a.name.startswith("tools.export.")]
            for inner in names:
                imported(inner + ".py", found)
    return found


class ExporterDigestTest(unittest.TestCase):
    def test_it_is_of_all_that_the_exporter_is_made_of(self):
        sources = sorted(imported(_STARTED, imported("export_model.py", set())))
        self.assertIn("formats.py", sources)
        self.assertIn("traced_graph.py", sources)
        digest = hashlib.sha256()
        for path in [os.path.join(_HERE, name) for name in sources] + [os.path.join(_DEPS, name) for name in _PACKAGES]:
            with open(path, "rb") as f:
                digest.update(f.read())
        with open(os.path.join(_HERE, "exporter_digest.h"), encoding="utf-8") as f:
            (built,) = re.findall(r'"([0-9a-f]{64})"', f.read())
        self.assertEqual(built, digest.hexdigest(), "name what the exporter imports in _EXPORTER of tools/export/BUILD.bazel, sorted")


if __name__ == "__main__":
    unittest.main()
