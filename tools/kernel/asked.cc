#include "tools/kernel/asked.h"

#include <google/protobuf/text_format.h>

#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "tools/kernel/request/request.h"
#include "tools/kernel/runfile.h"

namespace assay::kernel {
namespace {

constexpr char kRows[] = "benchmarks/operators/kernel/operator_rows.textproto";

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  constexpr int64_t kMostBytes = int64_t{1} << 30;
  return tensor_files::ReadFile(path, kMostBytes);
}

absl::StatusOr<OperatorRows> ReadRows() {
  const absl::StatusOr<std::string> path = FindRunfile(kRows);
  if (!path.ok()) return path.status();
  const absl::StatusOr<std::string> text = ReadFile(*path);
  if (!text.ok()) return text.status();
  OperatorRows rows;
  if (!google::protobuf::TextFormat::ParseFromString(*text, &rows))
    return absl::DataLossError(absl::StrCat(*path, ": no table of operators"));
  return rows;
}

absl::StatusOr<OperatorRow> RowOf(const std::string& like, const std::vector<std::string>& at) {
  const absl::StatusOr<OperatorRows> rows = ReadRows();
  if (!rows.ok()) return rows.status();
  return RowLike(*rows, like, at);
}

absl::StatusOr<Asked> ReadDefinition(const Settings& settings, const std::string& folder,
                                     const std::atomic<bool>& interrupted,
                                     absl::FunctionRef<void(const std::string&)> progress) {
  const absl::StatusOr<std::string> definition = ReadFile(settings.flashinfer_trace);
  const absl::StatusOr<std::string> workloads = ReadFile(settings.workload);
  for (const absl::Status& status : {definition.status(), workloads.status()}) {
    if (!status.ok()) return absl::InvalidArgumentError(status.message());
  }
  absl::StatusOr<FlashInferTask> task = ReadFlashInfer(*definition, *workloads);
  if (!task.ok()) return task.status();
  const absl::StatusOr<std::string> script = FindRunfile(kFlashInferScript);
  if (!script.ok()) return script.status();
  progress("tracing the reference");
  absl::Status traced = TraceReference({.python = settings.python,
                                        .script = *script,
                                        .definition = settings.flashinfer_trace,
                                        .workloads = settings.workload,
                                        .folder = folder,
                                        .seed = settings.seed},
                                       *task, &interrupted);
  if (!traced.ok()) return traced;
  return Asked{.row = task->row,
               .sizes = {task->row.sizes().begin(), task->row.sizes().end()},
               .dtypes = {task->dtype},
               .task = *task};
}

}  // namespace

absl::StatusOr<std::string> ListOperators() {
  const absl::StatusOr<OperatorRows> rows = ReadRows();
  if (!rows.ok()) return rows.status();
  return ListOf(*rows);
}

absl::StatusOr<std::string> AtenNameOf(const std::string& like) {
  if (like.empty() || absl::StrContains(like, "::")) return like;
  const absl::StatusOr<OperatorRow> row = RowOf(like, {});
  if (!row.ok()) return row.status();
  return row->call().name();
}

absl::StatusOr<Asked> ReadAsked(const Settings& settings, const std::string& folder,
                                const std::atomic<bool>& interrupted,
                                absl::FunctionRef<void(const std::string&)> progress) {
  if (!settings.flashinfer_trace.empty())
    return ReadDefinition(settings, folder, interrupted, progress);
  absl::StatusOr<OperatorRow> row = RowOf(settings.like, settings.at);
  if (!row.ok()) return row.status();
  absl::StatusOr<std::vector<Sizes>> sizes = SizesOf(*row, settings.at);
  if (!sizes.ok()) return sizes.status();
  return Asked{
      .row = *std::move(row), .sizes = *std::move(sizes), .dtypes = settings.dtypes, .task = {}};
}

}  // namespace assay::kernel
