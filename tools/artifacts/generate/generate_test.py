"""The whole program with a fake runner: what is written, what is refused, and with which exit code."""

import os
import shutil
import unittest
from unittest import mock

from tools.artifacts.generate import generate, store, workspace
from tools.artifacts.generate.test_cases import entry
from tools.artifacts.generate.test_program import ProgramTest, captured


class GenerateTest(ProgramTest):
    def test_a_new_case_gets_a_row_and_its_blob(self):
        code, out, err = self.run_program()
        self.assertEqual(0, code, err)
        row = self.lock()["toy_fp32_b2"]
        self.assertEqual(("embedded", "fake runner, float64"), (row.store, row.provenance))
        self.assertEqual({"lock.bzl", "blobs/%s.safetensors" % row.sha256}, set(self.snapshot()))
        self.assertIn("new", out)
        self.assertIn("1 rows; 1 blobs in the tree", out)

    def test_running_again_changes_nothing_bit_for_bit(self):
        self.run_program()
        before = self.snapshot()
        self.assertEqual(0, self.run_program()[0])
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.0 + 1e-13]}, entry())
        self.assertEqual(0, self.run_program()[0])
        self.assertEqual(before, self.snapshot())

    def test_the_models_file_gets_a_row_once_its_run_has_passed(self):
        digest = "0123456789abcdef" * 4
        self.bazel_in(self.tree, 'echo file >"$ASSAY_MODULES_TO/%s.pt2"; exit ${CODE:-0}' % digest)
        flags = ("--role=module", "--format=aoti")
        with mock.patch("importlib.metadata.version", return_value="2.11.0+cpu"):
            code, _, err = self.run_program(*flags, CODE="1")
            self.assertEqual((1, {}), (code, {n: b for n, b in self.snapshot().items() if n != "lock.bzl"}))
            self.assertRegex(err, "toy_fp32_b2.aoti: the run ended with exit code 1")
            code, out, err = self.run_program(*flags)
            self.assertEqual(0, code, err)
            before = self.snapshot()
            self.assertEqual(0, self.run_program(*flags)[0])
        self.assertEqual(before, self.snapshot())
        row = self.lock()["toy_fp32_b2.%s.aoti" % digest]
        self.assertEqual(("bucket", "aoti", 5), (row.store, row.role, row.size))
        self.assertIn("staged/%s.pt2" % row.sha256, before)
        with open(os.path.join(self.root, "asked"), encoding="utf-8") as asked:
            self.assertIn("//benchmarks/backends:aoti //benchmarks/toy:toy_fp32_b2 -- --backend=aoti --action=verify", asked.read())

    def test_what_is_no_file_of_a_model_is_refused(self):
        for flags, message in [
            (("--role=module",), "some of aoti, onnx, pt2"),
            (("--role=module", "--format=aoti,tflite"), "some of aoti, onnx, pt2"),
            (("--role=module", "--format=torchscript"), "a runner traces that itself"),
            (("--format=aoti",), "it is of --role=module"),
            (("--role=module", "--format=aoti", "--with=weights"), "not with --with"),
        ]:
            code, _, err = self.run_program(*flags)
            self.assertEqual(3, code)
            self.assertIn(message, err)

    def test_drift_is_refused_and_changes_nothing(self):
        self.run_program()
        before = self.snapshot()
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.1]}, entry())
        code, _, err = self.run_program()
        self.assertEqual((1, before), (code, self.snapshot()))
        self.assertRegex(err, r"toy_fp32_b2: differs from the committed blob by 8\.0e-02 std \(y\)(.|\n)*--accept-drift")

    def test_accepted_drift_replaces_the_row_and_the_old_blob_stays_until_it_is_pruned(self):
        self.run_program()
        old = self.lock()["toy_fp32_b2"]
        self.cases({"toy_fp32_b2": [1.0, 2.0, 4.1]}, entry())
        code, out, _ = self.run_program("--accept-drift=a better model")
        self.assertEqual(0, code)
        self.assertIn("1 blobs in the tree belong to no row", out)
        self.assertTrue(self.lock()["toy_fp32_b2"].provenance.endswith("replaced: a better model"))
        self.assertIn("blobs/%s.safetensors" % old.sha256, self.snapshot())

    def test_a_lost_blob_is_written_again(self):
        self.run_program()
        before = self.snapshot()
        shutil.rmtree(os.path.join(self.out, "blobs"))
        self.assertEqual(0, self.run_program()[0])
        self.assertEqual(before, self.snapshot())

    def test_an_interruption_keeps_what_was_done_and_leaves_no_blob_without_its_row(self):
        self.cases({"a": [1.0, 2.0], "b": [1.0, 3.0]}, entry("a"), entry("b", depth=2))
        add = store.Store.add

        def add_or_interrupt(self, content, *rest):
            if content.keys == ("b",):
                raise KeyboardInterrupt
            return add(self, content, *rest)

        with mock.patch.object(store.Store, "add", add_or_interrupt):
            self.assertEqual(130, self.run_program()[0])
        (row,) = self.lock().values()
        self.assertEqual({"lock.bzl", "blobs/%s.safetensors" % row.sha256}, set(self.snapshot()))

    def test_twins_share_one_blob(self):
        self.cases(
            {"toy_fp32_b2": [1.0, 2.0], "toy_fp64_b2": [9.0, 9.0]}, entry(), entry("toy_fp64_b2", dtype="FP64")
        )
        self.assertEqual(0, self.run_program()[0])
        self.assertEqual(self.lock()["toy_fp32_b2"].sha256, self.lock()["toy_fp64_b2"].sha256)

    def test_each_way_to_fail_is_named_and_the_others_are_done(self):
        for do, words in {
            "crash": "exit code 1\n    fake runner: no such model\n    last words",
            "kill": "signal 9",
            "nan": "1 of 3 numbers are NaN or infinite",
            "garbage": "truncated or not safetensors",
        }.items():
            with self.subTest(do=do):
                shutil.rmtree(self.out, ignore_errors=True)
                self.cases(
                    {"bad": {"values": [1, 2, 3], "do": do}, "good": [1.0, 2.0]},
                    entry("bad"),
                    entry("good", depth=2),
                )
                code, _, err = self.run_program()
                self.assertEqual((1, {"good"}), (code, set(self.lock())))
                self.assertIn("generate_artifacts: bad: ", err)
                self.assertIn(words, err)

    def test_a_worker_that_dies_is_an_error_with_the_models_name_and_what_was_not_computed(self):
        # INDEPENDENT needs packages that this Python lacks: the worker ends with an ImportError.
        self.cases({}, entry(reference="INDEPENDENT"))
        os.makedirs(os.path.join(self.tree, "models/toy"))
        open(os.path.join(self.tree, "models/toy/reference.py"), "w").close()
        code, _, err = self.run_program()
        self.assertEqual(1, code)
        self.assertRegex(err, r"generate_artifacts: toy: the worker ended with exit code 1(.|\n)*not computed: toy_fp32_b2")

    def test_a_worker_that_the_kernel_kills_is_an_error_with_the_models_name_and_never_a_hole(self):
        self.cases(
            {"bad": {"values": [1, 2], "do": "kill worker"}, "same": [1.0, 4.0], "good": [1.0, 2.0]},
            entry("bad"),
            entry("same", width=8),
            entry("good", depth=2),
        )
        code, _, err = self.run_program()
        self.assertEqual((1, {"good"}), (code, set(self.lock())))
        self.assertRegex(err, r"generate_artifacts: toy: the worker was killed by signal 9 \(out of memory\?\)")
        self.assertIn("not computed: bad same", err)

    def test_a_dry_run_writes_nothing(self):
        code, out, _ = self.run_program("--dry-run", "--with=module,weights")
        self.assertEqual((0, {}, []), (code, self.snapshot(), self.built()))
        self.assertIn("toy   OWN_FLOAT64   with weights\n", out)
        self.assertIn("1 models, 1 blobs to compute, 1 rows of the lock", out)

    def test_a_runner_that_does_not_build_ends_it_with_the_compilers_words_and_the_command(self):
        self.bazel_in(self.tree, build="echo toy.cc:7: error >&2; exit 1")
        for flags in ((), ("--measure",)):
            code, _, err = self.run_program(*flags)
            self.assertEqual((2, {}), (code, self.snapshot()))
            self.assertRegex(err, "(?s)toy.cc:7: error.*all of it: tools/bazel build //benchmarks/toy:runner\n")

    def test_a_missing_reference_script_is_said_before_anything_is_built(self):
        self.cases({}, entry(reference="INDEPENDENT"))
        code, _, err = self.run_program()
        self.assertEqual((2, []), (code, self.built()))
        self.assertIn("models/toy/reference.py: there is no such file; toy has it as its reference_script", err)

    def test_outside_of_bazel_run_nothing_can_be_built(self):
        arguments = ["generate", "--filter=.", "--artifacts=" + self.out]
        code, _, err = captured(generate.main, arguments, {})
        self.assertEqual((3, {}), (code, self.snapshot()))
        self.assertIn("start this with `tools/bazel run //tools:generate_artifacts`", err)
        self.assertEqual(0, captured(generate.main, [*arguments, "--dry-run"], {})[0])

    def test_large_blobs_are_staged_for_a_bucket(self):
        self.assertEqual(0, self.run_program("--embed-limit=100")[0])
        row = self.lock()["toy_fp32_b2"]
        self.assertEqual("bucket", row.store)
        self.assertIn("staged/%s.safetensors" % row.sha256, self.snapshot())

    def test_only_the_cases_of_the_filter_are_touched(self):
        self.cases({"a": [1.0, 2.0], "b": [1.0, 3.0]}, entry("a"), entry("b", depth=2))
        self.run_program(filter=":b$")
        self.assertEqual({"b"}, set(self.lock()))

    def test_rows_of_no_case_are_reported(self):
        self.run_program()
        self.cases({"other": [1.0, 2.0]}, entry("other"))
        self.assertIn("1 rows belong to no case (toy_fp32_b2)", self.run_program()[1])

    def test_mistakes_on_the_command_line_are_exit_code_3_with_a_sentence(self):
        for flags, words in {
            ("--jobs=0",): "at least 1",
            ("--out=gs://bucket",): "//tools:upload_artifacts puts it in a bucket",
            ("--out= ",): "a folder",
            ("--with=inputs,poems",): "some of inputs, weights, module",
            ("--embed-limit=-1",): "a number of bytes",
            ("--nonsense",): "unrecognized",
            ("--accept-drift=two\nlines",): "one line",
        }.items():
            code, _, err = self.run_program(*flags)
            self.assertEqual(3, code)
            self.assertIn(words, err)
        code, _, err = self.run_program(ASSAY_BUCKET="ftp://nowhere")
        self.assertEqual(3, code)
        self.assertIn("ASSAY_BUCKET", err)
        code, _, err = self.run_program(ASSAY_CACHE="cache")
        self.assertEqual(3, code)
        self.assertIn("ASSAY_CACHE=cache: want an absolute path", err)
        self.assertEqual(3, self.run_program(filter="(")[0])
        self.assertEqual(3, self.run_program(filter="nothing")[0])

    def test_a_damaged_lock_is_exit_code_2_and_stays(self):
        os.makedirs(self.out)
        with open(os.path.join(self.out, "lock.bzl"), "w") as f:
            f.write("LOCK = {<<<<<<<")
        code, _, err = self.run_program()
        self.assertEqual((2, []), (code, self.built()))
        self.assertIn("lock.bzl", err)

    def test_a_second_generator_in_the_same_folder_is_kept_out(self):
        os.makedirs(self.out)
        with workspace.locked(self.out):
            code, _, err = self.run_program()
        self.assertEqual(2, code)
        self.assertIn("another generate_artifacts", err)


if __name__ == "__main__":
    unittest.main()
