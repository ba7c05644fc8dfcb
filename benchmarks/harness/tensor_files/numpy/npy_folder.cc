#include "benchmarks/harness/tensor_files/numpy/npy_folder.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files {
namespace {

// The number of "STEM_12.npy"; nullopt for any other name, "STEM_012.npy" as well.
std::optional<int> NumberOf(std::string_view name, std::string_view stem) {
  int number = 0;
  if (!absl::ConsumePrefix(&name, absl::StrCat(stem, "_"))) return std::nullopt;
  if (!absl::ConsumeSuffix(&name, ".npy") || !absl::SimpleAtoi(name, &number)) return std::nullopt;
  if (absl::StrCat(number) != name || number < 0) return std::nullopt;
  return number;
}

absl::StatusOr<std::set<int>> NumbersIn(const std::string& folder, std::string_view stem) {
  std::error_code error;
  std::set<int> numbers;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const std::string name = at->path().filename().string();
    const std::optional<int> number = NumberOf(name, stem);
    if (!number.has_value()) {
      return absl::FailedPreconditionError(
          absl::StrCat(folder, " holds ", base::Quoted(name), "; only ", stem, "_0.npy, ", stem,
                       "_1.npy and so on may be there: move it away"));
    }
    numbers.insert(*number);
  }
  if (error) {
    return absl::NotFoundError(absl::StrCat("cannot list ", folder, ": ", error.message()));
  }
  return numbers;
}

}  // namespace

absl::StatusOr<std::vector<NpyFile>> ReadNpyFolder(const std::string& folder,
                                                   std::string_view stem) {
  const absl::StatusOr<std::set<int>> numbers = NumbersIn(folder, stem);
  if (!numbers.ok()) return numbers.status();
  if (numbers->empty()) {
    return absl::NotFoundError(absl::StrCat(folder, " is empty; expected ", stem, "_0.npy"));
  }
  std::vector<NpyFile> files;
  for (const int number : *numbers) {
    if (number != static_cast<int>(files.size())) {
      return absl::FailedPreconditionError(absl::StrCat(
          folder, " has ", stem, "_", number, ".npy but no ", stem, "_", files.size(), ".npy"));
    }
    absl::StatusOr<NpyFile> file = ReadNpy(absl::StrCat(folder, "/", stem, "_", number, ".npy"));
    if (!file.ok()) return file.status();
    files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace assay::tensor_files
