#include "benchmarks/traces/reader/trace_source.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/few_names.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::traces {
namespace {

namespace fs = std::filesystem;

bool IsTraceName(std::string_view name) {
  for (const std::string_view end : {".json", ".json.gz", ".et", ".et.gz"}) {
    if (absl::EndsWithIgnoreCase(name, end)) return true;
  }
  return false;
}

absl::StatusOr<TraceSource> ChooseOf(const std::string& path, const std::vector<TraceSource>& all,
                                     int64_t rank) {
  std::vector<TraceSource> fits;
  std::vector<std::string> names, all_names;
  for (const TraceSource& source : all) {
    all_names.push_back(base::Printable(source.Name(), 200));
    if (rank >= 0 && RankOf(source.Name()) != rank) continue;
    fits.push_back(source);
    names.push_back(all_names.back());
  }
  if (fits.size() == 1) return fits[0];
  if (all.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        path, ": no file in it ends with .json, .json.gz, .et or .et.gz, so it holds no trace"));
  }
  if (fits.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ": no trace of rank ", rank, "; it has ", base::FewNames(all_names, 5)));
  }
  const bool ranks = std::any_of(
      all.begin(), all.end(), [](const TraceSource& source) { return RankOf(source.Name()) >= 0; });
  return absl::InvalidArgumentError(absl::StrCat(
      path, ": it holds ", fits.size(), " traces", rank >= 0 ? absl::StrCat(" of rank ", rank) : "",
      "; choose one by ", rank >= 0 || !ranks ? "" : "--rank=N or by ",
      "its name: ", base::FewNames(names, 5)));
}

absl::StatusOr<std::vector<TraceSource>> TracesInFolder(const std::string& path) {
  std::vector<TraceSource> sources;
  std::error_code error;
  for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    if (it->is_regular_file(error) && IsTraceName(it->path().filename().string()))
      sources.push_back({.path = it->path().string()});
  }
  if (error) return absl::NotFoundError(absl::StrCat(path, ": ", error.message()));
  std::sort(sources.begin(), sources.end(),
            [](const TraceSource& a, const TraceSource& b) { return a.path < b.path; });
  return sources;
}

// "ranks.tar.gz/rank-0.json": the part that is a file, and the rest.
absl::StatusOr<TraceSource> MemberNamed(const std::string& path) {
  for (fs::path archive = fs::path(path).parent_path(); archive.has_relative_path();
       archive = archive.parent_path()) {
    std::error_code error;
    if (!fs::is_regular_file(archive, error)) continue;
    return TraceSource{.path = archive.string(),
                       .member = path.substr(archive.string().size() + 1)};
  }
  return absl::NotFoundError(absl::StrCat(path, ": ", std::strerror(ENOENT)));
}

}  // namespace

int64_t RankOf(std::string_view name) {
  const auto number_at = [&](size_t at) {
    size_t end = at;
    while (end < name.size() && absl::ascii_isdigit(static_cast<unsigned char>(name[end]))) ++end;
    int64_t number = -1;
    return absl::SimpleAtoi(name.substr(at, end - at), &number) ? number : -1;
  };
  const size_t slash = name.rfind('/');
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  const std::string lower = absl::AsciiStrToLower(name);
  if (const size_t word = lower.find("rank"); word != std::string::npos) {
    size_t at = word + 4;
    if (at < name.size() && !absl::ascii_isalnum(static_cast<unsigned char>(name[at]))) ++at;
    if (const int64_t rank = number_at(at); rank >= 0) return rank;
  }
  for (size_t i = name.size(); i-- > 0;) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(name[i]))) continue;
    while (i > 0 && absl::ascii_isdigit(static_cast<unsigned char>(name[i - 1]))) --i;
    return number_at(i);
  }
  return -1;
}

absl::StatusOr<TraceSource> ChooseTrace(const std::string& path, int64_t rank) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (status.type() == fs::file_type::directory) {
    const absl::StatusOr<std::vector<TraceSource>> sources = TracesInFolder(path);
    if (!sources.ok()) return sources.status();
    return ChooseOf(path, *sources, rank);
  }
  if (!fs::exists(status)) return MemberNamed(path);
  const absl::StatusOr<std::vector<std::string>> members = ArchiveMembers(path);
  if (!members.ok()) return members.status();
  if (members->empty()) return TraceSource{.path = path};
  std::vector<TraceSource> sources;
  for (const std::string& member : *members) {
    if (IsTraceName(member)) sources.push_back({.path = path, .member = member});
  }
  return ChooseOf(path, sources, rank);
}

}  // namespace assay::traces
