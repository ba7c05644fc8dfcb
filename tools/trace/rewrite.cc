#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/processes/program_main.h"
#include "benchmarks/traces/analysis/rewriting.h"
#include "benchmarks/traces/reader/trace_file.h"
#include "benchmarks/traces/reader/trace_writer.h"
#include "tools/trace/actions.h"

namespace assay::trace {
namespace {

absl::StatusOr<int> Rewrite(GivenTraces& given, std::string_view action,
                            traces::Trace (*rewrite)(traces::Trace trace),
                            std::string_view advice) {
  if (given.flags.out.empty())
    return absl::InvalidArgumentError(absl::StrCat(action, " FILE: --out=OTHER.json"));
  const size_t nodes = given.traces[0].nodes.size();
  const traces::Trace made = rewrite(std::move(given.traces[0]));
  const absl::Status written = traces::WriteTrace(given.flags.out, made);
  if (!written.ok()) return written;
  return processes::Print(absl::StrCat("wrote     ", given.flags.out, ": ", made.nodes.size(),
                                       " of ", CountText(nodes, "node"), "\n", advice));
}

}  // namespace

absl::StatusOr<int> CleanTrace(GivenTraces& given) {
  return Rewrite(given, "clean", traces::Clean, "");
}

absl::StatusOr<int> AnonymiseTrace(GivenTraces& given) {
  return Rewrite(
      given, "anonymise", traces::Anonymise,
      "look      at it before you give it away: shapes, dtypes, times, ATen's operators and "
      "whole numbers are in it\n");
}

}  // namespace assay::trace
