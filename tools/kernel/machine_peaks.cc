#include "tools/kernel/machine_peaks.h"

#include <google/protobuf/text_format.h>

#include <filesystem>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/cache_folder.h"
#include "benchmarks/harness/base/sha256.h"
#include "benchmarks/harness/environment/machine/machine.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "defs/proto/record.pb.h"

namespace assay::kernel {
namespace {

absl::StatusOr<std::filesystem::path> PeaksPath(const PeaksKey& key) {
  const absl::StatusOr<std::filesystem::path> folder = base::CacheFolder("measured peaks");
  if (!folder.ok()) return folder.status();
  const std::string digest =
      base::Sha256Hex(absl::StrCat(key.machine, "\n", key.threads, "\n", Dtype_Name(key.dtype)));
  return *folder / "peaks" / digest.substr(0, 16);
}

}  // namespace

std::string ProcessorName() {
  Environment environment;
  environment::AddMachine("/", environment);
  return environment.cpu_model();
}

absl::Status KeepPeaks(const PeaksKey& key, const KernelPeaks& peaks) {
  const absl::StatusOr<std::filesystem::path> path = PeaksPath(key);
  if (!path.ok()) return path.status();
  std::error_code error;
  std::filesystem::create_directories(path->parent_path(), error);  // else writing fails
  std::string text;
  google::protobuf::TextFormat::PrintToString(peaks, &text);
  return tensor_files::WriteFileAtomically(path->string(), text);
}

std::optional<KernelPeaks> KeptPeaks(const PeaksKey& key) {
  constexpr int64_t kMostBytes = 1 << 16;
  const absl::StatusOr<std::filesystem::path> path = PeaksPath(key);
  if (!path.ok()) return std::nullopt;
  const absl::StatusOr<std::string> text = tensor_files::ReadFile(path->string(), kMostBytes);
  KernelPeaks peaks;
  if (!text.ok() || !google::protobuf::TextFormat::ParseFromString(*text, &peaks))
    return std::nullopt;
  return peaks;
}

}  // namespace assay::kernel
