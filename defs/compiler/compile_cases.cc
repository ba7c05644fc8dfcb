// The build's own tool behind the case_set and case_registry rules (defs/case_rules.bzl). People do
// not start it, but see its errors, each of which names a file or case and what is allowed.
//
//   compile_cases resolve REQUEST.textproto OUT_FOLDER CASES.pb CASES.json [CASE.textproto ...]
//       checks a family's cases and writes one .pb each; REQUEST is what defs/benchmarks.bzl says
//       (case_set.proto), the files behind it are the cases written by hand
//   compile_cases merge OUT.pb OUT.json LEFT_OUT.txt CASES.pb...
//       joins families into the registry
#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "defs/case/program_kinds.h"
#include "defs/compiler/case_registry.h"
#include "defs/compiler/case_resolution.h"
#include "defs/compiler/case_text.h"
#include "defs/proto/case_set.pb.h"

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

// The same bytes for the same message: without this, maps are written in an order that changes from
// process to process, and whatever reads the file is built again.
std::string Bytes(const Registry& registry) {
  std::string bytes;
  google::protobuf::io::StringOutputStream out(&bytes);
  google::protobuf::io::CodedOutputStream coded(&out);
  coded.SetSerializationDeterministic(true);
  registry.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

void WriteRegistry(const Registry& registry, const std::string& pb_path,
                   const std::string& json_path) {
  const std::string bytes = Bytes(registry);
  WriteFile(pb_path, bytes);
  std::string text;
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  constexpr char kTypes[] = "type.googleapis.com";
  const std::unique_ptr<google::protobuf::util::TypeResolver> types(
      google::protobuf::util::NewTypeResolverForDescriptorPool(
          kTypes, google::protobuf::DescriptorPool::generated_pool()));
  const auto status = google::protobuf::util::BinaryToJsonString(
      types.get(), absl::StrCat(kTypes, "/", Registry::descriptor()->full_name()), bytes, &text,
      options);
  if (!status.ok()) throw std::runtime_error(absl::StrCat(json_path, ": ", status.ToString()));
  WriteFile(json_path, text);
}

Lock LockOf(const CaseSetRequest& request) {
  Lock lock;
  for (const ReferenceArtifact& artifact : request.lock()) lock[artifact.key()] = artifact;
  return lock;
}

std::string PackageOf(const CaseSetRequest& request) {
  return absl::StrCat("//", request.package());
}

// The beginning of a problem's text, for a case of a table.
std::string WhereOf(std::string_view label, std::string_view package) {
  return absl::StrCat(label, " (case table of ", package, ")");
}

// The label of the case that a line states, or the package: of a line that may be no text form.
std::string WhereOfLine(std::string_view line, std::string_view package) {
  constexpr std::string_view kLabel = "label: \"";
  const size_t label = line.find(kLabel);
  if (label == line.npos) return std::string(package);
  line.remove_prefix(label + kLabel.size());
  return WhereOf(line.substr(0, line.find('"')), package);
}

// Each line is an item. It is generated, so its number means nothing to its author.
CaseSetRequest ReadRequest(const std::string& path, Problems* problems) {
  CaseSetRequest request;
  for (const std::string_view line : absl::StrSplit(ReadFile(path), '\n')) {
    const std::string where = WhereOfLine(line, PackageOf(request));
    request.MergeFrom(
        Parse<CaseSetRequest>(std::string(line), where, /*with_line=*/false, problems));
  }
  return request;
}

struct CaseToCheck {
  BenchmarkCase benchmark_case;
  ReferenceName reference;
  std::string where;  // begins each problem
};

// A case that a file states; the request has what the file's name says.
BenchmarkCase ReadHandWritten(const RequestedCase& requested, const std::string& file,
                              Problems* problems) {
  const size_t before = problems->size();
  BenchmarkCase c = Parse<BenchmarkCase>(ReadFile(file), file, /*with_line=*/true, problems);
  if (problems->size() != before) return c;
  BenchmarkCase named = requested.benchmark_case();
  Dtype dtype;
  if (!Dtype_Parse(absl::AsciiStrToUpper(requested.dtype()), &dtype)) {
    problems->push_back(absl::StrCat(file, ": its name has dtype '", requested.dtype(),
                                     "'; one of fp32, fp64, bf16, fp16"));
    return c;
  }
  named.set_dtype(dtype);
  if (c.verify().batch() != 0)
    problems->push_back(absl::StrCat(
        file, ": verify.batch can only be set in a case table, which knows it while it loads"));
  FillFromName(named, file, &c, problems);
  return c;
}

using Files = std::map<std::string, std::string>;  // paths, by their last part

CaseToCheck ReadCase(const RequestedCase& requested, const std::string& package,
                     const Files& hand_written, Problems* problems) {
  CaseToCheck result;
  result.reference = {.key = requested.key(), .rows = requested.rows()};
  if (requested.file().empty()) {
    result.benchmark_case = requested.benchmark_case();
    result.where = WhereOf(requested.benchmark_case().label(), package);
    return result;
  }
  const auto file = hand_written.find(requested.file());
  if (file == hand_written.end())
    throw std::runtime_error(absl::StrCat(requested.file(), " is not among the arguments"));
  result.where = file->second;
  result.benchmark_case = ReadHandWritten(requested, file->second, problems);
  // An operator whose rows depend on each other: its file's name does not say it.
  if (KindOf(result.benchmark_case).truth == TruthSource::kOwnFloat64)
    result.reference.rows = result.benchmark_case.batch();
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
               const std::string& pb_path, const std::string& json_path,
               const Files& hand_written) {
  Problems problems;
  const CaseSetRequest request = ReadRequest(request_path, &problems);
  const std::string package = PackageOf(request);
  std::vector<CaseToCheck> cases;
  for (const RequestedCase& one : request.cases())
    cases.push_back(ReadCase(one, package, hand_written, &problems));
  if (!problems.empty()) return Report(problems);
  const Family& family = request.family();
  CheckFamily(family, package, &problems);

  std::map<Dtype, VerifyParameters> defaults;
  for (const ExecutionLimits& one : request.default_limits()) {
    const bool plain = one.lowering().empty() && one.matmul_precision() <= HIGHEST;
    if (plain) defaults[one.dtype()] = one.verify();
  }
  Registry limits;
  *limits.mutable_default_limits() = request.default_limits();
  const Lock lock = LockOf(request);
  Registry registry = limits;
  std::vector<ResolvedCase> resolved;
  resolved.reserve(cases.size());  // first_of_key points into it
  std::map<std::string, const ResolvedCase*> first_of_key;
  for (size_t i = 0; i < cases.size(); ++i) {
    CaseToCheck& c = cases[i];
    FillDefaultVerify(defaults, &c.benchmark_case);
    const size_t before = problems.size();
    resolved.push_back(Resolve(family, c.benchmark_case, c.reference, lock, c.where, &problems));
    if (problems.size() != before) continue;
    *resolved.back().mutable_execution_limits() =
        request.cases(static_cast<int>(i)).execution_limits();
    CheckSharedReference(resolved.back(), c.where, &first_of_key, &problems);
    AddCase(resolved.back(), &registry);
  }
  if (problems.empty()) {
    for (const ResolvedCase& c : resolved) {
      Registry one = limits;
      AddCase(c, &one);
      WriteFile(absl::StrCat(out_folder, "/", c.benchmark_case().name(), ".pb"), Bytes(one));
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
  if (arguments.size() >= 5 && arguments[0] == "resolve") {
    Files hand_written;
    for (size_t i = 5; i < arguments.size(); ++i)
      hand_written[arguments[i].substr(arguments[i].rfind('/') + 1)] = arguments[i];
    return RunResolve(arguments[1], arguments[2], arguments[3], arguments[4], hand_written);
  }
  if (arguments.size() >= 4 && arguments[0] == "merge") {
    return RunMerge({arguments.begin() + 1, arguments.end()});
  }
  std::cerr << "usage: compile_cases resolve REQUEST.textproto OUT_FOLDER CASES.pb CASES.json "
               "[CASE.textproto ...]\n"
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
