#include <cstdint>

#include "benchmarks/harness/configuration/flag_sections.h"
#include "benchmarks/harness/configuration/flag_spec.h"

namespace assay::configuration {

FlagSection ToolFlags() {
  return {
      .title = "For tools",
      .flags = {
          {.name = "export-state",
           .value = "FILE",
           .text = "writes the seeded weights to this safetensors file, and ends",
           .read = AnyText()},
          {.name = "export-inputs",
           .value = "FILE",
           .text = "writes the verified inputs to this safetensors file, and ends",
           .read = AnyText()},
          {.name = "export-reference",
           .value = "FILE",
           .text = "writes this suite's own float64 outputs as a reference blob, and ends",
           .read = AnyText()},
          {.name = "export-module",
           .value = "FILE",
           .text =
               "writes the forward pass, traced by TorchScript on the verified inputs, with its "
               "weights in the case's dtype to this file (.pt), and ends",
           .read = AnyText()},
          {.name = "export-layers",
           .value = "FOLDER",
           .text = "writes what each layer takes and gives, in float64, and ends",
           .read = AnyText()},
          {.name = "case-name",
           .value = "LABEL",
           .text = "the case, where a file has several",
           .read = AnyText()},
          {.name = "case", .value = "FILE", .use = FlagUse::kProgram, .read = AnyText()},
          {.name = "locked-reference",
           .value = "FILE",
           .use = FlagUse::kProgram,
           .read = AnyText()},
          {.name = "cuda-plugin", .value = "FILE", .use = FlagUse::kProgram, .read = AnyText()},
          // What --device is where the user does not say: by how the case was built.
          {.name = "default-device",
           .value = "NAME",
           .use = FlagUse::kProgram,
           .read = OneOf({"cpu", "cuda"}),
           .fallback = "cpu"},
          // With --export-inputs: as many rows as the case's reference holds, for its generator.
          {.name = "export-referenced-rows",
           .use = FlagUse::kProgram,
           .read = OnOrOff(),
           .fallback = "false"},
          // The case as it would run, in JSON; what a test hands to //tools:reference_of_weights.
          {.name = "export-case", .value = "FILE", .use = FlagUse::kProgram, .read = AnyText()},
          // For the child of --nsys and --ncu.
          {.name = "only-ranges", .use = FlagUse::kProgram, .read = OnOrOff(), .fallback = "false"},
          // A file of command lines, each of which is run; the line to begin with; seconds of a line.
          {.name = "series", .value = "FILE", .use = FlagUse::kProgram, .read = AnyText()},
          {.name = "series-first",
           .value = "N",
           .use = FlagUse::kProgram,
           .read = WholeNumber(0, INT64_MAX),
           .fallback = "0"},
          {.name = "series-timeout",
           .value = "SECONDS",
           .use = FlagUse::kProgram,
           .read = RealNumber(/*zero=*/true, "seconds, 0 or more"),
           .fallback = "0"},
      }};
}

}  // namespace assay::configuration
