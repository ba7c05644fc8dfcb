#include "tools/trace/actions.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"

namespace assay::trace {

absl::StatusOr<size_t> NodeNamed(const traces::TraceTree& tree, const std::string& name) {
  if (name.empty()) return traces::kNoNode;
  for (const size_t node : tree.order) {
    if (tree.nodes.CallOf(node).name == name) return node;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--subgraph=", name, ": no node of the trace has that name"));
}

size_t RowsOf(const TraceFlags& flags, size_t usual) {
  return flags.top > 0 ? static_cast<size_t>(flags.top) : usual;
}

std::string ShareText(int64_t part, int64_t whole) {
  if (whole <= 0) return "-";
  return absl::StrFormat("%.1f %%", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string NsText(int64_t ns) {
  return ns == 0 ? "0 us" : output::TimeText(static_cast<double>(ns));
}

std::string CountText(size_t count, std::string_view what) {
  return absl::StrCat(count, " ", what, count == 1 ? "" : "s");
}

absl::Status WriteText(const std::string& path, std::string_view text) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  return tensor_files::WriteFileAtomically(path, text);
}

}  // namespace assay::trace
