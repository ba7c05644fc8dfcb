#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/configuration/flag_exclusions.h"
#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"

namespace assay::configuration {
namespace {

constexpr int64_t kMostRuns = 999;

absl::StatusOr<std::string> ReadOdd(const std::string& value) {
  int64_t number = 0;
  if (absl::SimpleAtoi(value, &number) && number > 0 && number <= kMostRuns && number % 2 == 1) {
    return absl::StrCat(number);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("an odd number, 1 to ", kMostRuns, ", so that there is a majority"));
}

absl::Status CheckName(std::string_view word) {
  if (word == "batch_invariance" || word == "bitwise" || word == "mutants") return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("'", word, "': one of batch_invariance, bitwise, mutants"));
}

absl::Status CheckAnything(std::string_view) { return absl::OkStatus(); }

}  // namespace

FlagSection ComparedFlags() {
  return {
      .title = "What is compared",
      .flags = {
          {.name = "verify",
           .value = "on|off",
           .use = FlagUse::kLook,
           .text = "off: measure only; recorded as NOT_VERIFIED",
           .read = OneOf({"on", "off"}),
           .fallback = "on",
           .example = "off"},
          {.name = "action",
           .value = "NAME",
           .use = FlagUse::kLook,
           .text = "measure (default), verify (only compare), smoke (small model, one "
                   "call: shapes, finiteness, 16 bits against float64)",
           .read = OneOf({"measure", "verify", "smoke"}),
           .fallback = "measure",
           .example = "smoke",
           .excludes = {{.with = {"verify=off"},
                         .why = "not with $: nothing would be left to do; leave one of them out",
                         .value = "verify"}}},
          {.name = "rule",
           .value = "RULE",
           .use = FlagUse::kLook,
           .text =
               R"(compare by another rule than the case's: dynamo_same[:TOL], cosine[:MIN], allclose:atol=A,rtol=R,
mean_relative[:2%], iou[:MIN] (boolean outputs), relative_to_std:rms=A,max=B. Without numbers: those of
the suite that the rule is from. dynamo_same also takes multiplier=N, larger_multiplier, cosine[=MIN])",
           .read = AnyText(),
           .example = "cosine",
           .excludes = {OfTheComparison()}},
          {.name = "accuracy-runs",
           .value = "N",
           .use = FlagUse::kLook,
           .text = "an odd number of verified runs, of which the majority decides",
           .read = ReadOdd,
           .fallback = "1",
           .example = "3",
           .excludes = {OfTheComparison()}},
          {.name = "check",
           .value = "LIST",
           .use = FlagUse::kLook,
           .text =
               R"(batch_invariance  the last row and a drawn one, computed alone, equal those of the whole batch, within the
                  limits
bitwise           this execution's outputs equal plain eager's to the bit
mutants           the program with one fault must fail: a model's first, middle or last block times 1.01,
                  an operator's output, a mistake of --mistake; each is a line
If a check fails, the outcome is FAIL_ACCURACY)",
           .read = ListOf(CheckName),
           .example = "bitwise",
           .excludes = {OfTheComparison(),
                        {.with = {"weights"},
                         .why = "its mutants have the seeded weights; leave $ out",
                         .value = "mutants"}}},
          {.name = "save-outputs",
           .value = "PATH",
           .text = "writes the verified call's outputs, bit for bit: FILE.safetensors, or a folder "
                   "for <case>.safetensors",
           .read = AnyText(),
           .excludes = {OfTheComparison()}},
          {.name = "compare-outputs",
           .value = "PATH",
           .text = "compares them with those that another build saved, within the limits, and says "
                   "whether to the bit",
           .read = AnyText(),
           .excludes = {OfTheComparison()}},
          {.name = "locate",
           .text =
               R"(in place of measuring: names the first layer whose output differs from the other implementation's
although its input is right; of a training case also the first gradient. In float64 on the CPU, with the
seeded weights. Exit code 1 where there is one. Has //tools:locate built, with 0.6 GB of Python packages
the first time (docs/accuracy.md))",
           .read = OnOrOff(),
           .fallback = "false"},
      }};
}

FlagSection GivenFlags() {
  return {
      .title = "Your own tensors",
      .flags =
          {
              {.name = "weights",
               .value = "PATH",
               .text =
                   R"(a checkpoint in place of the seeded weights: FILE.safetensors, FILE.safetensors.index.json, or a folder
with one of them. Names, shapes and kinds must be the model's (others are listed); floating-point
weights are rounded to the case's dtype. These differences are accepted and reported: a prefix, the base's
name that files of the bare model lack, gamma and beta for weight and bias, no num_batches_tracked. Also
older names that the family declares. Heads and unread buffers that the family declares are left out and
reported. If the folder has a config.json of transformers, its sizes take the place of the case's, and a
setting that the family does not compute is an error. Verdict: against --reference or --verify-with, else
NOT_VERIFIED. May stand beside --export-inputs)",
               .read = AnyText(),
               .excludes = {OfALargeModel(),
                            {.with = {"export-state", "export-reference", "export-module",
                                      "export-layers", "locate"},
                             .why = "not with $, which is of the seeded tensors; --weights may "
                                    "stand beside --export-inputs alone"}}},
              {.name = "weights-prefix",
               .value = "P",
               .text =
                   R"(what stands in front of the model's names in that file, e.g. bert.; other names are left out. Default:
found)",
               .read = AnyText(),
               .needs = {"weights"}},
              {.name = "weights-ignore",
               .value = "P,...",
               .text = "tensors of that file whose names begin with P., behind the prefix or not, "
                       "are left out, and said",
               .read = ListOf(CheckAnything),
               .needs = {"weights"}},
              {.name = "config-ignore",
               .value = "KEY,...",
               .text = "keys of the config.json beside the weights that are not read, and said",
               .read = ListOf(CheckAnything),
               .needs = {"weights"}},
              {.name = "verify-with",
               .value = "python",
               .text =
                   R"(has the family's implementation in Python load the same weights and compute the reference, in float64,
before anything is measured. Has //tools:reference_of_weights built, with 0.6 GB of Python packages the first
time. The reference is kept, and a line says where)",
               .read = OneOf({"python"}),
               .excludes = {OfTheComparison(),
                            {.with = {"reference"}, .why = "not with $, which is a reference"},
                            {.with = {"inputs", "prompt-ids"},
                             .why = "not with $: it computes the outputs of the seeded inputs"},
                            {.with = {"weights-prefix", "weights-ignore"},
                             .why = "not with $: Python reads the names as its library does"}},
               .needs = {"weights"}},
              {.name = "inputs",
               .value = "PATH",
               .text =
                   R"(inputs of the call that is compared: FILE.safetensors or FILE.npz by name, or a folder of input_0.npy,
input_1.npy, ... by position. Timed calls keep their seeded inputs)",
               .read = AnyText(),
               .excludes = {OfALargeModel(), OfGivenTensors()}},
              {.name = "prompt-ids",
               .value = "FILE",
               .text =
                   R"(prompts of a generation case in place of --inputs: a text with the token ids of a row in each line, as
many rows as are verified, or one for all. The tokens that follow are printed and kept in the record)",
               .read = AnyText(),
               .excludes = {{.with = {"inputs"}, .why = "not with $, which holds the prompt"},
                            OfALargeModel(),
                            OfGivenTensors()}},
              {.name = "reference",
               .value = "PATH",
               .text =
                   R"(outputs that another implementation computed from these: FILE.safetensors or FILE.npz by name, a folder
of output_0.npy, ..., or a reference blob. Without --weights and --inputs: a file with the lock's digest)",
               .read = AnyText()},
          },
      .after =
          R"(  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --export-inputs=inputs.safetensors
  tools/bazel run //benchmarks/resnet:resnet18_fp32_b1 -- --weights=model.safetensors --reference=logits.npz)"};
}

}  // namespace assay::configuration
