// The build's own tool behind the case_set and case_registry rules (defs/case_rules.bzl). Not for
// people: they get its errors, each naming a file or case and what is allowed.
//
//   compile_cases resolve REQUEST.json OUT_FOLDER CASES.pb CASES.json
//       checks a family's cases, writes one .pb each
//   compile_cases merge OUT.pb OUT.json LEFT_OUT.txt CASES.pb...
//       joins families into the registry
#include <google/protobuf/util/json_util.h>

#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "absl/strings/str_cat.h"
#include "defs/case_resolution.h"
#include "defs/case_text.h"

namespace assay {
namespace {

template <typename Message>
Message Parse(const std::string& text, const std::string& where, bool with_line,
              Problems* problems) {
  Message message;
  ParseCaseText(text, where, with_line, &message, problems);
  return message;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (!file) throw std::runtime_error(absl::StrCat("cannot read ", path));
  return content.str();
}

void WriteFile(const std::string& path, const std::string& content) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  if (!file.flush()) throw std::runtime_error(absl::StrCat("cannot write ", path));
}

void WriteRegistry(const Registry& registry, const std::string& pb_path,
                   const std::string& json_path) {
  WriteFile(pb_path, registry.SerializeAsString());
  std::string text;
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  const auto status = google::protobuf::util::MessageToJsonString(registry, &text, options);
  if (!status.ok()) throw std::runtime_error(absl::StrCat(json_path, ": ", status.ToString()));
  WriteFile(json_path, text);
}

Lock LockOf(const nlohmann::json& rows) {
  Lock lock;
  for (const auto& [key, row] : rows.items()) {
    ReferenceArtifact artifact;
    artifact.set_key(key);
    artifact.set_sha256(row.at("sha256"));
    artifact.set_size_bytes(row.at("size"));
    artifact.set_provenance(row.at("provenance"));
    lock[key] = artifact;
  }
  return lock;
}

// The cases of a request: those of the table (their text is generated, so lines in it mean nothing
// to its author), then those written by hand.
std::vector<std::pair<BenchmarkCase, std::string>> ReadCases(const nlohmann::json& request,
                                                             Problems* problems) {
  const std::string package = absl::StrCat("//", std::string(request.at("package")));
  std::vector<std::pair<BenchmarkCase, std::string>> result;
  for (const std::string text : request.at("table")) {
    // The generated text has its fields in alphabetical order; the label is among the first and
    // parses before errors further on matter.
    const size_t at = text.find("label: \"");
    const size_t end = text.find('"', at + 8);
    const std::string label = at == std::string::npos ? package : text.substr(at + 8, end - at - 8);
    const std::string where = absl::StrCat(label, " (case table of ", package, ")");
    result.emplace_back(Parse<BenchmarkCase>(text, where, /*with_line=*/false, problems), where);
  }
  for (const std::string path : request.at("hand_written")) {
    BenchmarkCase c = Parse<BenchmarkCase>(ReadFile(path), path, /*with_line=*/true, problems);
    std::string stem = path.substr(path.rfind('/') + 1);
    stem = stem.substr(0, stem.size() - std::string_view(".textproto").size());
    if (c.name().empty()) c.set_name(stem);
    if (c.name() != stem)
      problems->push_back(absl::StrCat(path, ": holds a case called '", c.name(),
                                       "'; file and case must share a name"));
    if (c.verify().batch() != 0)
      problems->push_back(absl::StrCat(
          path, ": verify.batch can only be set in a case table, which knows it while it loads"));
    c.set_label(absl::StrCat(package, ":", c.name()));
    c.add_tags("hand_written");
    result.emplace_back(std::move(c), path);
  }
  return result;
}

int Report(const Problems& problems) {
  for (const std::string& problem : problems) std::cerr << problem << "\n";
  return problems.empty() ? 0 : 1;
}

// A case written by hand may leave its limits to its dtype's default, which the request carries
// (default_verify() in defs/tolerances.bzl).
void FillDefaultVerify(const std::map<Dtype, VerifyParameters>& defaults, BenchmarkCase* c) {
  const auto found = defaults.find(c->dtype());
  if (c->has_verify() || found == defaults.end()) return;
  *c->mutable_verify() = found->second;
}

int RunResolve(const std::string& request_path, const std::string& out_folder,
               const std::string& pb_path, const std::string& json_path) {
  const nlohmann::json request = nlohmann::json::parse(ReadFile(request_path));
  const std::string package = absl::StrCat("//", std::string(request.at("package")));
  Problems problems;
  const Family family =
      Parse<Family>(request.at("family"), package, /*with_line=*/false, &problems);
  std::vector<std::pair<BenchmarkCase, std::string>> cases = ReadCases(request, &problems);
  if (!problems.empty()) return Report(problems);
  CheckFamily(family, package, &problems);

  std::map<Dtype, VerifyParameters> defaults;
  for (const std::string text : request.at("default_verify")) {
    const BenchmarkCase c = Parse<BenchmarkCase>(text, package, /*with_line=*/false, &problems);
    defaults[c.dtype()] = c.verify();
  }
  const Lock lock = LockOf(request.at("lock"));
  Registry registry;
  for (auto& [c, where] : cases) {
    FillDefaultVerify(defaults, &c);
    Registry one;
    *one.add_cases() = Resolve(family, c, lock, where, &problems);
    if (problems.empty())
      WriteFile(absl::StrCat(out_folder, "/", c.name(), ".pb"), one.SerializeAsString());
    registry.MergeFrom(one);
  }
  if (!problems.empty()) return Report(problems);
  WriteRegistry(registry, pb_path, json_path);
  return 0;
}

// The sentence that tools/bazel prints after a test run.
std::string LeftOutSentence(const Registry& registry) {
  int large = 0, gpu = 0;
  for (const ResolvedCase& c : registry.cases()) {
    const auto& tags = c.benchmark_case().tags();
    const auto& skips = c.benchmark_case().skips();
    if (std::count(tags.begin(), tags.end(), "large") > 0) ++large;
    if (std::any_of(skips.begin(), skips.end(), [](const Skip& s) { return s.device() == CPU; }))
      ++gpu;
  }
  const std::string skipped =
      gpu == 0 ? "" : absl::StrCat(" and of ", gpu, " that their tables skip on the CPU");
  return absl::StrCat("left out of //... by default: the tests of ", large,
                      " cases tagged `large` (--config=large runs them)", skipped,
                      "; tools/bazel run //benchmarks:list -- --left_out lists them");
}

int RunMerge(const std::vector<std::string>& arguments) {
  Registry registry;
  Problems problems;
  std::map<std::string, std::string> owner;  // model -> package
  for (size_t i = 3; i < arguments.size(); ++i) {
    Registry family;
    if (!family.ParseFromString(ReadFile(arguments[i])))
      throw std::runtime_error(absl::StrCat("malformed ", arguments[i]));
    for (const ResolvedCase& c : family.cases()) {
      const std::string package =
          c.benchmark_case().label().substr(0, c.benchmark_case().label().find(':'));
      const auto [at, inserted] = owner.emplace(c.model().name(), package);
      if (!inserted && at->second != package) {
        problems.push_back(absl::StrCat(
            package, " and ", at->second, " both have a model '", c.model().name(),
            "'; a model's name is unique in the tree, since references are kept under it"));
        at->second = package;  // once for each pair
      }
    }
    registry.MergeFrom(family);
  }
  if (!problems.empty()) return Report(problems);
  WriteRegistry(registry, arguments[0], arguments[1]);
  WriteFile(arguments[2], LeftOutSentence(registry) + "\n");
  return 0;
}

int Main(const std::vector<std::string>& arguments) {
  if (arguments.size() == 5 && arguments[0] == "resolve") {
    return RunResolve(arguments[1], arguments[2], arguments[3], arguments[4]);
  }
  if (arguments.size() >= 4 && arguments[0] == "merge") {
    return RunMerge({arguments.begin() + 1, arguments.end()});
  }
  std::cerr << "usage: compile_cases resolve REQUEST.json OUT_FOLDER CASES.pb CASES.json\n"
               "       compile_cases merge OUT.pb OUT.json LEFT_OUT.txt CASES.pb...\n";
  return 3;
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  try {
    return assay::Main({argv + 1, argv + argc});
  } catch (const std::exception& error) {  // files and JSON of the build's own making
    std::cerr << "compile_cases: " << error.what() << "\n";
    return 1;
  }
}
