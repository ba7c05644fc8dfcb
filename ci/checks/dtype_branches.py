"""Code of models that only some dtypes run: each such line is run by a test that `bazel test //...` runs, and the table says by which.

By default cases of a model are in float32, bf16 and float64, and float16 is `large` (defs/default_tier.bzl). So a line that asks for
a dtype may be run by nobody. Add a line of yours to RUN_BY once a test beside the file runs it in each of its dtypes.
"""

import glob
import os
import re

from ci.check import ROOT, Check

# Code that asks for a dtype. A dtype that is only passed on is no branch.
_ASKS = re.compile(r"(scalar_type\(\)|\bdtype(\(\))?) *[!=]=|[!=]= *(at|c10)::k(Half|BFloat16|Float|Double)\b"
                   r"|case (at|c10)::k\w+:|is_floating_point\(\)|isFloatingType\(")
_SCORES = "LowestScoreTest.IsEachDtypesLowestNumber"

# File below models/ -> {what its lines begin with: the test, of the file's own <name>_test.cc or of another file}.
RUN_BY = {
    "bart/bart.cc": {"if (!decoder_ && x.scalar_type()": "BartTest.TheEncoderEndsAt64504InFloat16"},
    "detr/detr.cc": {"const auto dtype = outputs[0].scalar_type()": "DetrTest.BoxesAreInPixelsOfTheImage"},
    "gpt_neo/gpt_neo.cc": {
        "return x.scalar_type() == at::kDouble ? x": "GptNeoTest.AttentionsScoresAreFloat32AtLeast",
        "x.options().dtype(x.scalar_type() ==": "GptNeoTest.AttentionsScoresAreFloat32AtLeast",
    },
    "layers/sequence/attention.cc": {
        "if (mask && mask->scalar_type() == at::kBool)": "AttentionTest.AMaskOfBooleansSaysWhatIsSeen",
        "case at::kHalf:": _SCORES,
        "case at::kBFloat16:": _SCORES,
        "case at::kFloat:": _SCORES,
    },
    "layers/core/layer.cc": {"const bool follows = ": "LayerTest.MovesChangeTheDtypeOfFloatingPointTensorsOnly"},
    "layers/core/linear.cc": {
        "const double roundoff = y.scalar_type()": "JudgedLinearTest.ErrorsAreThoseThatRoundingExplains",
        ": y.scalar_type() == at::kHalf": "JudgedLinearTest.ErrorsAreThoseThatRoundingExplains",
    },
    "layers/sequence/residual_sum.cc": {"return branch.scalar_type() == x.scalar_type()": "ResidualSum.IsAsWideAsTheWiderOfTwo"},
    "layers/sequence/rms_norm.cc": {"const at::ScalarType wide = ": "RmsNorm.TheSumOfOneAndAWeightIsFloat32AtLeast"},
    "layers/sequence/rotary.cc": {"const at::ScalarType wide = ": "Rotary.AnglesAreFloat32AtLeast"},
    "layers/detection/box_operators.cc": {
        "boxes.is_cpu() && (boxes.scalar_type()": "NmsTest.RefusesWhatDoesNotFit",
        "TORCH_CHECK_VALUE(labels.sizes() == scores.sizes()": "NmsTest.BoxesOfDifferentLabelsDoNotMeet",
    },
    "layers/detection/bilinear_samples.cc": {
        "TORCH_CHECK_VALUE(regions.is_cpu() && (regions.scalar_type()": "layers/detection/region_operators_test.cc: RegionOperatorsTest.RefuseWhatDoesNotFit",
        "regions.scalar_type() == at::kDouble)": "layers/detection/region_operators_test.cc: RegionOperatorsTest.RefuseWhatDoesNotFit",
        "features.size(3) > 0 && features.scalar_type()": "layers/detection/roi_align_test.cc: RoiAlignTest.RefusesWhatDoesNotFit",
    },
    "layers/detection/deform_conv2d.cc": {
        "tensor.sizes() == sizes && tensor.is_cpu()": "DeformConv2dTest.RefusesWhatDoesNotFit",
        "input.is_cpu() && (input.scalar_type()": "DeformConv2dTest.IsAConvolutionWhereNothingMoves",
    },
    "layers/vision/diffusion_blocks.cc": {"const at::ScalarType wide = ": "TimeFeaturesTest.AnglesAreFloat32AtLeast"},
    "named_tensor.h": {"bool NeedsFilling()": "NamedTensorTest.IntegersAreNotFilled"},
    "t5/t5.cc": {"if (x.scalar_type() != at::kHalf) return x;": "T5Test.InfinityBecomes64504InFloat16"},
    "whisper/whisper.cc": {"if (x.scalar_type() == at::kHalf)": "WhisperTest.TheEncoderEndsAt64504InFloat16"},
}


def _branches(folder):
    """(path below the folder, line) of the code that asks for a dtype, without tests and what tests share."""
    for path in sorted(glob.glob("**/*.cc", root_dir=folder, recursive=True) + glob.glob("**/*.h", root_dir=folder, recursive=True)):
        if path.endswith("_test.cc") or path.startswith("testing/"):
            continue
        with open(os.path.join(folder, path), encoding="utf-8") as f:
            yield from ((path, line.strip()) for line in f if _ASKS.search(line.partition("//")[0]))


def _is_there(folder, path, test):
    """Whether the test is in its file."""
    file, _, name = test.rpartition(": ")
    file = os.path.join(folder, file or os.path.splitext(path)[0] + "_test.cc")
    suite, _, case = name.partition(".")
    if not os.path.exists(file):
        return False
    with open(file, encoding="utf-8") as f:
        return re.search(r"TEST(_F|_P)?\(%s,\s*%s\)" % (suite, case), f.read()) is not None


def findings(folder, run_by):
    """The faults of the table, one text each."""
    found, used = [], set()
    for path, line in _branches(folder):
        begins = [begin for begin in run_by.get(path, {}) if line.startswith(begin)]
        used.update((path, begin) for begin in begins)
        if not begins:
            found.append("models/%s: no test runs this line in its dtypes: %s" % (path, line))
    for path, lines in run_by.items():
        found += ["models/%s: no line begins with: %s" % (path, begin) for begin in lines if (path, begin) not in used]
        found += ["models/%s: there is no test %s" % (path, test) for test in lines.values() if not _is_there(folder, path, test)]
    return found


class DtypeBranches(Check):
    def test_table(self):
        """dtypes: each line of models that asks for a dtype has a test that runs it"""
        self.assertEqual([], findings(os.path.join(ROOT, "models"), RUN_BY))

    def test_finds(self):
        """dtypes: a line without a test is found, and so is a row without a line or without a test"""
        folder = os.path.join(self.scratch, "models")
        os.makedirs(os.path.join(folder, "x"))
        self.write(os.path.join(folder, "x/x.cc"), "".join("  %s\n" % line for line in (
            "if (x.scalar_type() == at::kHalf) return;", "const auto wide = dtype == at::kDouble ? 1 : 2;", "case at::kBFloat16:",
            "y = x.to(at::kHalf);  // dtype == at::kHalf")))
        self.write(os.path.join(folder, "x/x_test.cc"), "TEST(XTest, Runs) { if (x.scalar_type() == at::kHalf) return; }\n")
        self.assertEqual([
            "models/x/x.cc: no test runs this line in its dtypes: const auto wide = dtype == at::kDouble ? 1 : 2;",
            "models/x/x.cc: no line begins with: if (gone",
            "models/x/x.cc: there is no test XTest.Gone",
        ], findings(folder, {"x/x.cc": {"if (x.scalar": "XTest.Runs", "case at::kBFloat16": "XTest.Gone", "if (gone": "XTest.Runs"}}))
