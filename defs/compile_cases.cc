// The build's own tool behind the case_set and case_registry rules (defs/case_rules.bzl). People do
// not start it, but see its errors, each of which names a file or case and what is allowed.
//
//   compile_cases resolve REQUEST.json OUT_FOLDER CASES.pb CASES.json
//       checks a family's cases and writes one .pb each; REQUEST is what defs/benchmarks.bzl says,
//       with every case's name and the key of its reference
//   compile_cases merge OUT.pb OUT.json LEFT_OUT.txt CASES.pb...
//       joins families into the registry
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "defs/case_registry.h"
#include "defs/case_resolution.h"
#include "defs/case_text.h"
#include "defs/program_kinds.h"

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
  options.preserve_proto_field_names = true;
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

struct RequestedCase {
  BenchmarkCase benchmark_case;
  ReferenceName reference;
  std::string where;                                   // begins each problem
  std::vector<ExecutionLimits> execution_limits = {};  // where the table has its own
};

// One case of a request. For a table's case the request has the whole text; it is generated, so its
// lines mean nothing to its author. For a hand-written case it has what the file's name says.
RequestedCase ReadCase(const nlohmann::json& request, const std::string& package,
                       Problems* problems) {
  const std::string name = request.at("name"), file = request.at("file");
  RequestedCase result;
  result.reference = {.key = request.at("key"), .rows = request.at("rows")};
  result.where =
      file.empty() ? absl::StrCat(package, ":", name, " (case table of ", package, ")") : file;
  BenchmarkCase stated =
      Parse<BenchmarkCase>(request.at("text"), result.where, /*with_line=*/false, problems);
  if (file.empty()) {
    result.benchmark_case = std::move(stated);
    for (const std::string text : request.value("execution_limits", nlohmann::json::array())) {
      result.execution_limits.push_back(
          Parse<ExecutionLimits>(text, result.where, /*with_line=*/false, problems));
    }
    return result;
  }
  const size_t before = problems->size();
  BenchmarkCase& c = result.benchmark_case;
  c = Parse<BenchmarkCase>(ReadFile(file), file, /*with_line=*/true, problems);
  if (problems->size() != before) return result;
  Dtype dtype;
  if (!Dtype_Parse(absl::AsciiStrToUpper(std::string(request.at("dtype"))), &dtype)) {
    problems->push_back(absl::StrCat(file, ": its name has dtype '",
                                     std::string(request.at("dtype")),
                                     "'; one of fp32, fp64, bf16, fp16"));
    return result;
  }
  stated.set_dtype(dtype);
  if (c.verify().batch() != 0)
    problems->push_back(absl::StrCat(
        file, ": verify.batch can only be set in a case table, which knows it while it loads"));
  FillFromName(stated, file, &c, problems);
  // An operator whose rows depend on each other: its file's name does not say it.
  if (KindOf(c).truth == TruthSource::kOwnFloat64) result.reference.rows = c.batch();
  return result;
}

// Cases with one key are compared with one blob, so the blob must hold the outputs of each.
void CheckSharedReference(const ResolvedCase& c, const std::string& where,
                          std::map<std::string, const ResolvedCase*>* first_of_key,
                          Problems* problems) {
  using google::protobuf::util::MessageDifferencer;
  if (c.reference().key().empty()) return;
  const auto [at, inserted] = first_of_key->emplace(c.reference().key(), &c);
  if (inserted) return;
  const ResolvedCase& first = *at->second;
  if (MessageDifferencer::Equals(first.referenced(), c.referenced()) &&
      MessageDifferencer::Equals(first.benchmark_case().training(), c.benchmark_case().training()))
    return;
  problems->push_back(absl::StrCat(
      where, ": computes something else than ", first.benchmark_case().label(),
      ", but both have the reference '", c.reference().key(), "'; let one be another model"));
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
  std::vector<RequestedCase> cases;
  for (const nlohmann::json& one : request.at("cases"))
    cases.push_back(ReadCase(one, package, &problems));
  if (!problems.empty()) return Report(problems);
  CheckFamily(family, package, &problems);

  std::map<Dtype, VerifyParameters> defaults;
  Registry limits;
  for (const std::string text : request.at("default_verify")) {
    const BenchmarkCase c = Parse<BenchmarkCase>(text, package, /*with_line=*/false, &problems);
    const bool plain =
        c.execution().lowering().empty() && c.execution().matmul_precision() <= HIGHEST;
    if (plain) defaults[c.dtype()] = c.verify();
    ExecutionLimits& of_execution = *limits.add_default_limits();
    of_execution.set_dtype(c.dtype());
    of_execution.set_lowering(c.execution().lowering());
    of_execution.set_matmul_precision(c.execution().matmul_precision());
    *of_execution.mutable_verify() = c.verify();
  }
  const Lock lock = LockOf(request.at("lock"));
  Registry registry = limits;
  std::vector<ResolvedCase> resolved;
  resolved.reserve(cases.size());  // first_of_key points into it
  std::map<std::string, const ResolvedCase*> first_of_key;
  for (RequestedCase& c : cases) {
    FillDefaultVerify(defaults, &c.benchmark_case);
    const size_t before = problems.size();
    resolved.push_back(Resolve(family, c.benchmark_case, c.reference, lock, c.where, &problems));
    if (problems.size() != before) continue;
    resolved.back().mutable_execution_limits()->Assign(c.execution_limits.begin(),
                                                       c.execution_limits.end());
    CheckSharedReference(resolved.back(), c.where, &first_of_key, &problems);
    AddCase(resolved.back(), &registry);
  }
  if (problems.empty()) {
    for (const ResolvedCase& c : resolved) {
      Registry one = limits;
      AddCase(c, &one);
      WriteFile(absl::StrCat(out_folder, "/", c.benchmark_case().name(), ".pb"),
                one.SerializeAsString());
    }
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
  return absl::StrCat(
      "left out of //... by default: the tests of ", large,
      " cases tagged `large` (--config=large runs them)", skipped,
      "; tools/bazel run //benchmarks:list -- --left-out lists them. Images in bf16, but for "
      "small programs: --config=large. Tests of what no measurement goes through: --config=extra");
}

int RunMerge(const std::vector<std::string>& arguments) {
  Registry registry;
  Problems problems;
  std::map<std::string, std::string> owner;  // model -> package
  for (size_t i = 3; i < arguments.size(); ++i) {
    Registry family;
    if (!family.ParseFromString(ReadFile(arguments[i])))
      throw std::runtime_error(absl::StrCat("malformed ", arguments[i]));
    std::string package;
    for (const ResolvedCase& c : family.cases()) {
      package = c.benchmark_case().label().substr(0, c.benchmark_case().label().find(':'));
      if (!KindOf(c).names_model) continue;
      const auto [at, inserted] = owner.emplace(c.benchmark_case().model(), package);
      if (!inserted && at->second != package) {
        problems.push_back(absl::StrCat(
            package, " and ", at->second, " both have a model '", c.benchmark_case().model(),
            "'; a model's name is unique in the tree, since references are kept under it"));
        at->second = package;  // once for each pair
      }
    }
    const std::string problem = AddRegistry(family, &registry);
    if (!problem.empty()) problems.push_back(absl::StrCat(package, ": ", problem));
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
  } catch (const std::exception& error) {  // files and JSON that the build made
    std::cerr << "compile_cases: " << error.what() << "\n";
    return 1;
  }
}
