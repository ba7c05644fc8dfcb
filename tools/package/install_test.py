"""Which headers are installed, and how they include one another."""

import unittest

from tools.package import install


class InstallTest(unittest.TestCase):
    def test_headers_include_one_another_where_they_are_installed(self):
        tree = {
            "benchmarks/harness/sampling/measure.h": '#include <vector>\n#include "absl/time/time.h"\n  # include "benchmarks/harness/text/a.h"\n',
            "benchmarks/harness/text/a.h": '#include "defs/proto/suite.pb.h"\n',
            "bazel-out/bin/defs/proto/suite.pb.h": "",
            "external/absl/absl/time/time.h": '#include "absl/base/config.h"\n',
            "external/absl/absl/base/config.h": "",
            "external/absl/absl/flags/flag.h": "",
        }
        names = ["assay/sampling/measure.h", "assay/text/a.h", "assay/defs/proto/suite.pb.h", "absl/time/time.h", "absl/base/config.h",
                 "absl/flags/flag.h"]
        installed = install.headers(list(zip(tree, names)), tree.__getitem__)
        self.assertEqual(sorted(installed), sorted(names[:-1]))  # nobody includes flag.h
        self.assertEqual(installed["assay/sampling/measure.h"],
                         '#include <vector>\n#include "absl/time/time.h"\n  # include "assay/text/a.h"\n')
        self.assertEqual(installed["assay/text/a.h"], '#include "assay/defs/proto/suite.pb.h"\n')


if __name__ == "__main__":
    unittest.main()
