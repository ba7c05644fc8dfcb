"""Tests the reading of Bazel's events and graphs, with a program in Bazel's place that answers from files."""

import json
import os
import stat
import subprocess
import tempfile
import time
import unittest
from unittest import mock

from tools.processes.command import SurroundingsError
from ci.mutate.bazel_tests import BazelTests, Failure, Interrupted

_BAZEL = r"""#!/bin/sh
cd "@BASE@"
echo "$@" >>asked
env >environment
case "$*" in
  *query*) cat rules ;;
  *test*) for word; do case $word in
      --build_event_json_file=*) cp events "${word#*=}" ;;
      --target_pattern_file=*) cp "${word#*=}" targets ;;
    esac; done ;;
esac
echo "what Bazel prints" >&2
exit $(cat code)
"""
_RULES = """<?xml version="1.1" encoding="UTF-8" standalone="no"?>
<query version="2">
  <rule class="cc_test" name="//m/x:x_test"><rule-input name="//m/x:x"/></rule>
  <rule class="cc_library" name="//m/x:x"><rule-input name="//m/x:x.cc"/><rule-input name="//m/l:l"/></rule>
  <rule class="case_test" name="//b/y:y_test"><rule-input name="//b/y:y"/></rule>
  <rule class="cc_binary" name="//b/y:y"><rule-input name="//m/l:l"/></rule>
  <rule class="cc_library" name="//m/l:l"><rule-input name="//m/l:l.h"/></rule>
  <source-file name="//m/l:l.h"/>
  <rule class="cc_library" name="//models/x:x"><rule-input name="//models/x:x.cc"/><rule-input name="//models/layers:y.cc"/></rule>
  <rule class="cc_test" name="//benchmarks/x:model_golden_test"><rule-input name="//models/x:x"/></rule>
  <rule class="cc_test" name="//benchmarks:model_golden_test"><rule-input name="//models/x:x"/></rule>
  <rule class="sh_test" name="//benchmarks:callers_test"><rule-input name="//models/x:x"/></rule>
</query>
"""


def _result(label, status, **more):
    return {"id": {"testResult": {"label": label}}, "testResult": dict(status=status, **more)}


def _lives(pid):
    try:
        with open("/proc/%d/stat" % pid, encoding="utf-8") as f:
            return f.read().split()[2] != "Z"
    except FileNotFoundError:
        return False


class BazelTestsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.base = folder.name
        self.write("bazel", _BAZEL.replace("@BASE@", self.base))
        os.chmod(os.path.join(self.base, "bazel"), stat.S_IRWXU)
        for name in ("m/x", "m/l", "b/y"):
            self.write(name + "/BUILD.bazel", "")
        self.answer()
        self.bazel = BazelTests(self.base, os.path.join(self.base, "bazel"), "large")

    def write(self, path, text):
        path = os.path.join(self.base, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def read(self, path):
        with open(os.path.join(self.base, path), encoding="utf-8") as f:
            return f.read()

    def answer(self, *events, code=0):
        self.write("events", "".join(json.dumps(event) + "\n" for event in ({"id": {"started": {}}}, *events)))
        self.write("code", str(code))
        self.write("rules", _RULES)

    def test_dependants_are_the_tests_that_reach_a_file(self):
        self.assertEqual({"m/x/x.cc": {"//m/x:x_test"}, "m/l/l.h": {"//m/x:x_test", "//b/y:y_test"}, "m/l/unused.h": set()},
                         self.bazel.dependants(["m/x/x.cc", "m/l/l.h", "m/l/unused.h"]))

    def test_the_goldens_of_a_family_judge_its_file_and_those_of_all_a_layer(self):
        for folder in ("models/x", "models/layers"):
            self.write(folder + "/BUILD.bazel", "")
        self.assertEqual({"models/x/x.cc": {"//benchmarks/x:model_golden_test"}, "models/layers/y.cc": {"//benchmarks:model_golden_test"}},
                         self.bazel.dependants(["models/x/x.cc", "models/layers/y.cc"]))
        self.assertIn(r'union filter("^//benchmarks/\w+:model_golden_test$", $t)', self.read("asked"))

    def test_python_is_asked_about_below_its_tools_and_cpp_is_not(self):
        self.write("m/x/x.py", "")
        self.bazel.dependants(["m/x/x.cc"])
        self.assertNotIn("tools/gate", self.read("asked"))
        self.assertIn("tests(//models/... + //benchmarks/...)", self.read("asked"))
        os.remove(os.path.join(self.base, "asked"))
        self.assertEqual({"m/x/x.py": set(), "m/l/l.h": {"//m/x:x_test", "//b/y:y_test"}}, self.bazel.dependants(["m/x/x.py", "m/l/l.h"]))
        self.assertIn("tests(//tools/gate/... + //tools/history/... + //tools/report/... + //tools/results/...)", self.read("asked"))

    def test_what_the_harness_judges_is_asked_about_below_it(self):
        for folder in ("numerics", "programs"):
            os.makedirs(os.path.join(self.base, "benchmarks/harness", folder))
        self.write("benchmarks/harness/numerics/BUILD.bazel", "")
        self.bazel.dependants(["benchmarks/harness/numerics/rules.cc"])
        self.assertIn("tests(//benchmarks/harness/... + //benchmarks:printed_figures_test)", self.read("asked"))
        os.remove(os.path.join(self.base, "asked"))
        self.write("benchmarks/harness/programs/BUILD.bazel", "")
        self.bazel.dependants(["benchmarks/harness/programs/operator_program.cc"])
        self.assertIn("tests(//models/... + //benchmarks/...)", self.read("asked"))

    def test_a_query_that_says_what_it_could_not_load_is_believed_for_the_rest(self):
        self.answer(code=3)
        self.assertEqual({"m/x/x.cc": {"//m/x:x_test"}}, self.bazel.dependants(["m/x/x.cc"]))

    def test_results_are_told_apart(self):
        self.answer(_result("//a:a", "PASSED", testAttemptDurationMillis="1500"), _result("//a:b", "FAILED"),
                    _result("//a:c", "TIMEOUT"), _result("//a:d", "NO_STATUS"), code=3)
        done = self.bazel.run(["//a:a", "//a:b"], keep_going=True)
        self.assertEqual([Failure("//a:b", "FAILED", 0), Failure("//a:c", "TIMEOUT", 0)], done.failed)
        self.assertEqual({"//a:a": 1.5}, done.passed)
        self.assertEqual(set(), done.broken)

    def test_the_folder_of_outputs_comes_from_the_events(self):
        self.answer({"id": {"workspace": {}}, "workspaceInfo": {"localExecRoot": "/base/execroot/assay"}},
                    {"id": {"configuration": {}}, "configuration": {"makeVariable": {"BINDIR": "bazel-out/k8-opt/bin"}}})
        self.assertEqual("/base/execroot/assay/bazel-out/k8-opt/bin", self.bazel.run(["//a:b"], keep_going=True).folder)

    def test_the_exit_code_of_a_test_comes_from_its_xml(self):
        path = self.write("out dir/test.xml", '<error message="exited with error code 134"></error>')
        uri = "file://" + path.replace(" ", "%20")
        self.answer(_result("//a:b", "FAILED", testActionOutput=[{"name": "test.xml", "uri": uri}]), code=3)
        self.assertEqual(134, self.bazel.run(["//a:b"], keep_going=False).failed[0].exit_code)
        os.remove(path)
        self.assertEqual(0, self.bazel.run(["//a:b"], keep_going=False).failed[0].exit_code)

    def test_what_could_not_be_built_is_named_by_its_action(self):
        self.answer({"id": {"actionCompleted": {}}, "action": {"type": "CppCompile", "exitCode": 1}},
                    {"id": {"actionCompleted": {}}, "action": {"type": "CppLink", "success": True}}, code=1)
        done = self.bazel.run(["//a:b"], keep_going=False)
        self.assertEqual(({"CppCompile"}, "    what Bazel prints"), (done.broken, done.message))

    def test_a_failed_test_is_no_broken_build(self):
        self.answer({"id": {"actionCompleted": {}}, "action": {"type": "TestRunner", "exitCode": 3}}, _result("//a:b", "FAILED"), code=3)
        self.assertEqual(set(), self.bazel.run(["//a:b"], keep_going=False).broken)

    def test_flags_say_tier_and_limit_and_targets_come_by_file(self):
        self.bazel.run(["//a:b", "//a:a"], keep_going=False, limit=77)
        asked = self.read("asked")
        self.assertNotIn("disk_cache", asked)
        for word in ("--max_idle_secs=900 test", "--config=large", "--test_timeout=77", "--notest_keep_going", "--nokeep_going"):
            self.assertIn(word, asked)
        self.assertEqual("//a:a\n//a:b", self.read("targets"))

    def test_a_mutant_is_sent_to_no_cache(self):
        self.bazel.run(["//a:b"], keep_going=False, cache="")
        self.assertRegex(self.read("asked"), "--disk_cache= --noremote_upload_local_results")
        self.bazel.run(["//a:b"], keep_going=False, cache="/c")
        self.assertIn("--disk_cache=/c\n", self.read("asked"))

    def test_bazel_does_not_get_the_environment_of_this_program(self):
        with mock.patch.dict(os.environ, {"PYTHONPATH": "/nowhere", "BUILD_WORKSPACE_DIRECTORY": "/x", "ASSAY_STRICT": "1"}):
            BazelTests(self.base, os.path.join(self.base, "bazel")).dependants(["m/x/x.cc"])
        names = {line.split("=")[0] for line in self.read("environment").splitlines()}
        self.assertEqual({"ASSAY_STRICT"}, names & {"PYTHONPATH", "BUILD_WORKSPACE_DIRECTORY", "ASSAY_STRICT"})

    def test_what_a_cache_has_is_brought_since_a_mutant_has_none(self):
        self.bazel.run(["//a:b"], keep_going=True)
        self.bazel.run(["//a:b"], keep_going=False, cache="")
        self.assertEqual(2, self.read("asked").count("remote_download_outputs=all"))

    def test_bazel_that_fails_otherwise_is_the_surroundings(self):
        self.answer(code=37)
        with self.assertRaisesRegex(SurroundingsError, "ended with 37:\n    what Bazel prints"):
            self.bazel.run(["//a:b"], keep_going=False)
        with self.assertRaisesRegex(SurroundingsError, "query failed"):
            self.bazel.dependants(["m/x/x.cc"])
        self.answer(code=1)  # no action failed: a BUILD file that does not load
        with self.assertRaisesRegex(SurroundingsError, "ended with 1"):
            self.bazel.run(["//a:b"], keep_going=False)
        with self.assertRaisesRegex(SurroundingsError, "does not start"):
            BazelTests(self.base, os.path.join(self.base, "none")).dependants(["m/x/x.cc"])

    def test_an_interrupt_ends_bazel_and_what_it_started(self):
        self.write("bazel", "#!/bin/sh\ntrap '' INT\nsleep 600 & echo $! >%s/child\nwait\n" % self.base)

        def interrupted(_process):
            while not os.path.exists(os.path.join(self.base, "child")) or not self.read("child").endswith("\n"):
                time.sleep(0.01)
            raise KeyboardInterrupt

        with mock.patch.object(subprocess.Popen, "communicate", interrupted), self.assertRaises(KeyboardInterrupt):
            self.bazel.run(["//a:b"], keep_going=False)
        while _lives(int(self.read("child"))):
            time.sleep(0.01)

    def test_what_was_stopped_runs_nothing_any_more(self):
        self.bazel.stop()
        with self.assertRaises(Interrupted):
            self.bazel.run(["//a:b"], keep_going=False)

    def test_ctrl_c_that_reached_bazel_is_told_apart(self):
        self.answer(code=8)
        with self.assertRaises(Interrupted):
            self.bazel.run(["//a:b"], keep_going=False)


if __name__ == "__main__":
    unittest.main()
