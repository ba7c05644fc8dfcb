// Files of operator configurations: a printable error, or elements that lie in the file and whose macros end.
#include <algorithm>
#include <cstdint>
#include <optional>

#include "absl/strings/match.h"
#include "benchmarks/operators/param/parsing/config_file.h"
#include "benchmarks/operators/param/parsing/config_iterator.h"
#include "ci/fuzz/property.h"

namespace {

using assay::fuzz::Require;
using assay::fuzz::RequireMessage;

// A range may have 2^53 values; the first ones say what can be wrong.
constexpr int kCombinations = 100;

void Iterate(const assay::param::ConfigFile& file, std::string_view name,
             const std::vector<assay::param::Span>& spans, uint64_t size) {
  for (const assay::param::Span& span : spans) {
    Require(span.begin < size && span.end <= size, "an element lies in the file");
    const absl::Status read = file.Read(span).status();
    Require(span.end == 0 || read.ok() || absl::StrContains(read.message(), "stands twice"),
            "what was passed over once is JSON");
  }
  const auto iterator = assay::param::MakeConfigIterator(
      name,
      {static_cast<int64_t>(spans.size()),
       [&](int64_t i) { return file.Read(spans[static_cast<size_t>(i)]); }},
      nullptr);
  if (!iterator.ok()) return RequireMessage(iterator.status().message());
  for (int i = 0; i < kCombinations; ++i) {
    const std::optional<assay::param::NextConfig> next = (*iterator)->Next();
    if (!next) return;
    if (!next->config.ok()) RequireMessage(next->config.status().message());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const auto file = assay::param::ConfigFile::Parse("f.json", assay::fuzz::Input(data, size));
  if (!file.ok()) {
    RequireMessage(file.status().message());
    return 0;
  }
  for (const assay::param::OperatorEntry& entry : (*file)->operators()) {
    if (!entry.problem.empty()) RequireMessage(entry.problem);
    for (const assay::param::ConfigEntry& config : entry.configs) {
      if (config.build) Iterate(**file, entry.build_iterator, *config.build, size);
      if (config.input) Iterate(**file, entry.input_iterator, *config.input, size);
      if (config.input) Iterate(**file, "RangeConfigIterator", *config.input, size);
    }
  }
  return 0;
}
