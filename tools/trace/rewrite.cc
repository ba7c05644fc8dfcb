#include "tools/trace/rewrite.h"

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/traces/analysis/rewriting.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/reader/trace_writer.h"

namespace assay::trace {
namespace {

absl::StatusOr<int> Rewrite(const GivenTraces& given, std::string_view action,
                            traces::Trace (*rewrite)(const traces::Trace& trace),
                            std::string_view advice) {
  if (given.flags.out.empty())
    return absl::InvalidArgumentError(absl::StrCat(action, " FILE: --out=OTHER.json"));
  const traces::Trace made = rewrite(given.traces[0]);
  const absl::Status written = traces::WriteTrace(given.flags.out, made);
  if (!written.ok()) return written;
  return processes::Print(absl::StrCat("wrote     ", given.flags.out, ": ", made.nodes.size(),
                                       " of ", CountText(given.traces[0].nodes.size(), "node"),
                                       "\n", advice));
}

}  // namespace

absl::StatusOr<int> CleanTrace(const GivenTraces& given) {
  return Rewrite(given, "clean", traces::Clean, "");
}

absl::StatusOr<int> AnonymiseTrace(const GivenTraces& given) {
  return Rewrite(
      given, "anonymise", traces::Anonymise,
      "look      at it before you give it away: shapes, dtypes, times, ATen's operators and "
      "whole numbers are in it\n");
}

}  // namespace assay::trace
