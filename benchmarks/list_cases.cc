// Prints every benchmark case of the tree: model, dtype, batch, tags, and what keeps it from
// running where. Not for: running anything.
#include <google/protobuf/arena.h>
#include <google/protobuf/util/json_util.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/base/flags.h"
#include "benchmarks/harness/configuration/case_flags.h"
#include "benchmarks/harness/configuration/flag_spec.h"
#include "benchmarks/harness/configuration/usage.h"
#include "benchmarks/harness/output/output.h"
#include "benchmarks/harness/processes/program_main.h"
#include "defs/case/execution_names.h"
#include "defs/case/program_kinds.h"
#include "defs/compiler/case_registry.h"
#include "defs/proto/suite.pb.h"

namespace assay {
namespace {

constexpr char kUsage[] =
    "Lists every benchmark case.\n\n"
    "  tools/bazel run //benchmarks:list\n"
    "  tools/bazel run //benchmarks:list -- --filter='resnet50.*bf16'\n"
    "  tools/bazel run //benchmarks:list -- --left-out\n"
    "  tools/bazel run //benchmarks:list -- --format=csv > cases.csv\n\n"
    "  --filter=REGEX  only cases whose label matches somewhere\n"
    "  --left-out      only cases that `bazel test //...` leaves out: tagged large, or skipped on "
    "the CPU\n"
    "  --format=text|csv|json|models|unreferenced|counts|flags|flags_json   models and "
    "unreferenced "
    "are the tables of docs/data/models.md, counts the numbers of README.md, flags the tables of "
    "docs/data/flags.md, flags_json the same as data\n\n"
    "exit code  0 listed; 2 the registry cannot be read; 3 wrong arguments\n";

struct Options {
  std::string registry;  // binary assay.Registry; set by the Bazel target
  std::string filter;
  std::string format = "text";
  bool left_out = false;
  bool help = false;
};

base::FlagTable Flags(Options& options) {
  base::Flag registry = base::TextFlag(options.registry);
  registry.listed = false;
  const base::Flag help = base::SwitchFlag(options.help);
  return {
      {"registry", registry},
      {"filter", base::RegexFlag(options.filter)},
      {"format", base::ChoiceFlag(options.format, {"text", "csv", "json", "models", "unreferenced",
                                                   "counts", "flags", "flags_json"})},
      {"left_out", base::SwitchFlag(options.left_out)},
      {"help", help},
      {"h", help}};
}

std::string DtypeOf(const BenchmarkCase& c) { return absl::AsciiStrToLower(Dtype_Name(c.dtype())); }

std::string SkipsOf(const BenchmarkCase& c) {
  std::vector<std::string> skips;
  for (const Skip& skip : c.skips()) {
    const std::string& below = skip.below_capability();
    skips.push_back(absl::StrCat("skipped on ", DeviceType_Name(skip.device()),
                                 below.empty() ? "" : " below compute capability ", below, ": ",
                                 skip.reason()));
  }
  return absl::StrJoin(skips, "; ");
}

bool IsLarge(const BenchmarkCase& c) {
  return std::count(c.tags().begin(), c.tags().end(), "large") > 0;
}

bool LeftOut(const BenchmarkCase& c) {
  return IsLarge(c) || std::any_of(c.skips().begin(), c.skips().end(),
                                   [](const Skip& skip) { return skip.device() == CPU; });
}

// The reference of an operator is computed in the process that compares with it.
std::string ReferenceOf(const ResolvedCase& c) {
  if (KindOf(c).truth == TruthSource::kOwnFloat64) return "in place";
  return c.reference().sha256().empty() ? "none" : c.reference().sha256().substr(0, 8);
}

bool LacksReference(const ResolvedCase& c) { return ReferenceOf(c) == "none"; }

std::string PackageOf(const BenchmarkCase& c) { return c.label().substr(0, c.label().find(':')); }

void PrintText(const Registry& registry) {
  size_t width = 4;
  for (const ResolvedCase& c : registry.cases())
    width = std::max(width, c.benchmark_case().label().size());
  absl::PrintF("%-*s  %-16s %-5s %5s  %-9s  %s\n", static_cast<int>(width), "case", "model",
               "dtype", "batch", "reference", "tags; skips");
  int skipped = 0, large = 0, without_reference = 0;
  for (const ResolvedCase& c : registry.cases()) {
    const BenchmarkCase& b = c.benchmark_case();
    const std::string skips = SkipsOf(b);
    const std::string reference = ReferenceOf(c);
    absl::PrintF("%-*s  %-16s %-5s %5d  %-9s  %s%s%s\n", static_cast<int>(width), b.label(),
                 ModelNameOf(c), DtypeOf(b), b.batch(), reference, absl::StrJoin(b.tags(), " "),
                 skips.empty() ? "" : "; ", skips);
    skipped += !skips.empty();
    large += IsLarge(b);
    without_reference += LacksReference(c);
  }
  absl::PrintF(
      "%d cases, %d of them large (left out of //... by default), %d skipped on some device, %d "
      "without a reference\n",
      registry.cases_size(), large, skipped, without_reference);
}

void PrintCsv(const Registry& registry) {
  std::cout << "case,model,dtype,batch,reference,tags,skips\n";
  for (const ResolvedCase& c : registry.cases()) {
    const BenchmarkCase& b = c.benchmark_case();
    std::cout << b.label() << "," << ModelNameOf(c) << "," << DtypeOf(b) << "," << b.batch() << ","
              << c.reference().sha256() << "," << output::CsvField(absl::StrJoin(b.tags(), " "))
              << "," << output::CsvField(SkipsOf(b)) << "\n";
  }
}

// Keeps the order in which values first occur.
void AddNew(std::vector<std::string>& values, std::string value) {
  if (std::find(values.begin(), values.end(), value) == values.end())
    values.push_back(std::move(value));
}

// The parameters of a case's name: "s128".
std::vector<std::string> ShapesOf(const Registry& registry, const ResolvedCase& c) {
  ResolvedCase joined = c;
  JoinCase(registry, &joined);
  std::vector<std::string> shapes;
  for (const ParameterSpec& spec : joined.implementation().parameters()) {
    const auto found = c.benchmark_case().parameters().find(spec.name());
    if (!spec.suffix().empty() && found != c.benchmark_case().parameters().end())
      shapes.push_back(absl::StrCat(spec.suffix(), found->second.integer()));
  }
  return shapes;
}

// The table of docs/data/models.md: a row for each model. Operators are in docs/data/operators.md.
void PrintModels(const Registry& registry) {
  struct Row {
    std::string model, package, provenance = {};
    std::vector<std::string> dtypes = {}, batches = {}, shapes = {};
    std::map<std::string_view, std::vector<std::string>> of_kinds = {};  // by column
    int cases = 0, without_reference = 0;
  };
  std::vector<Row> rows;
  for (const ResolvedCase& c : registry.cases()) {
    const BenchmarkCase& b = c.benchmark_case();
    const ProgramKind& kind = KindOf(b);
    if (!kind.names_model) continue;
    const std::string package = PackageOf(b);
    auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& known) {
      return known.model == ModelNameOf(c) && known.package == package;
    });
    if (row == rows.end()) {
      rows.push_back({.model = ModelNameOf(c), .package = package});
      row = rows.end() - 1;
    }
    ++row->cases;
    row->without_reference += LacksReference(c);
    if (row->provenance.empty()) row->provenance = c.reference().provenance();
    const std::vector<std::string> shapes = ShapesOf(registry, c);
    const std::string shape =
        absl::StrCat("b", b.batch(), shapes.empty() ? "" : "_", absl::StrJoin(shapes, "_"));
    if (!kind.models_column.empty()) {
      AddNew(row->of_kinds[kind.models_column],
             absl::StrCat(shape, kind.run_text == nullptr ? "" : kind.run_text(b)));
      continue;
    }
    AddNew(row->dtypes, DtypeOf(b));
    AddNew(row->batches, absl::StrCat(b.batch()));
    for (const std::string& shape : shapes) AddNew(row->shapes, shape);
  }
  std::vector<std::string_view> columns = {"model", "package", "dtypes", "batches", "shapes"};
  std::vector<std::string_view> of_kinds;
  for (const ProgramKind& kind : ProgramKinds()) {
    if (!kind.models_column.empty()) of_kinds.push_back(kind.models_column);
  }
  columns.insert(columns.end(), of_kinds.begin(), of_kinds.end());
  columns.insert(columns.end(), {"cases", "without reference", "reference"});
  const std::vector<std::string_view> rules(columns.size(), "---");
  std::cout << "| " << absl::StrJoin(columns, " | ") << " |\n|" << absl::StrJoin(rules, "|")
            << "|\n";
  for (const Row& row : rows) {
    std::cout << "| " << row.model << " | `" << row.package << "` | "
              << absl::StrJoin(row.dtypes, " ") << " | " << absl::StrJoin(row.batches, " ") << " | "
              << absl::StrJoin(row.shapes, " ");
    for (const std::string_view column : of_kinds) {
      const auto found = row.of_kinds.find(column);
      std::cout << " | " << (found == row.of_kinds.end() ? "" : absl::StrJoin(found->second, " "));
    }
    std::cout << " | " << row.cases << " | "
              << (row.without_reference > 0 ? absl::StrCat(row.without_reference) : "") << " | "
              << row.provenance << " |\n";
  }
}

// The families of docs/data/models.md with cases that lack a reference. Cases may share one.
void PrintUnreferenced(const Registry& registry) {
  struct Row {
    std::set<std::string> models, keys;
    int cases = 0;
  };
  std::map<std::string, Row> rows;  // by package
  Row all;
  for (const ResolvedCase& c : registry.cases()) {
    if (!LacksReference(c)) continue;
    for (Row* row : {&rows[PackageOf(c.benchmark_case())], &all}) {
      row->models.insert(ModelNameOf(c));
      row->keys.insert(c.reference().key());
      ++row->cases;
    }
  }
  std::cout << "| family | models | cases | references |\n|---|---|---|---|\n";
  const auto print = [](const std::string& name, const Row& row) {
    absl::PrintF("| %s | %d | %d | %d |\n", name, row.models.size(), row.cases, row.keys.size());
  };
  for (const auto& [package, row] : rows) print(absl::StrCat("`", package, "`"), row);
  print("all", all);
}

// The numbers of README.md, between its marks <!-- counts -->.
void PrintCounts(const Registry& registry) {
  struct Counted {
    std::set<std::string> names = {}, differentiated = {}, generated = {}, packages = {},
                          dtypes = {};
    int cases = 0;
  };
  Counted models, operators;
  for (const ResolvedCase& c : registry.cases()) {
    const BenchmarkCase& b = c.benchmark_case();
    const ProgramKind& kind = KindOf(b);
    Counted& counted = kind.names_model ? models : operators;
    const std::string& name = kind.names_model ? b.model() : b.operator_call().name();
    counted.names.insert(name);
    if (kind.has_gradients) counted.differentiated.insert(name);
    if (kind.generates) counted.generated.insert(name);
    counted.packages.insert(PackageOf(b));
    counted.dtypes.insert(DtypeOf(b));
    ++counted.cases;
  }
  absl::PrintF(
      "- %d models of %d families. %d models are also trained, %d models also generate "
      "tokens. Together %d cases in %s\n",
      models.names.size(), models.packages.size(), models.differentiated.size(),
      models.generated.size(), models.cases, absl::StrJoin(models.dtypes, ", "));
  absl::PrintF("- %d operators of ATen, %d of them also with gradients. Together %d cases in %s\n",
               operators.names.size(), operators.differentiated.size(), operators.cases,
               absl::StrJoin(operators.dtypes, ", "));
  std::cout << "- back ends, which run a model: " << kEager
            << " by default; with `--backend=NAME` also " << LinkableText()
            << "\n- lowerings, which change a model before it runs: " << lowerings::Names() << "\n";
}

// With the steps of each case, and the models and implementations of these cases alone.
int PrintJson(Registry& all) {
  Registry registry;
  *registry.mutable_default_limits() = all.default_limits();
  for (ResolvedCase& c : *all.mutable_cases()) {
    JoinCase(all, &c);
    AddCase(c, &registry);
  }
  std::string text;
  google::protobuf::util::JsonPrintOptions options;
  options.add_whitespace = true;
  options.preserve_proto_field_names = true;
  if (!google::protobuf::util::MessageToJsonString(registry, &text, options).ok()) return 1;
  std::cout << text;
  return 0;
}

// The flags of a case for programs. Without those that only scripts give.
void PrintFlagsAsJson() {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const configuration::FlagSection& section : configuration::FlagSections()) {
    for (const configuration::FlagSpec& flag : section.flags) {
      if (flag.use == configuration::FlagUse::kProgram) continue;
      rows.push_back({{"name", flag.name},
                      {"value", flag.value},
                      {"default", flag.fallback},
                      {"section", section.title},
                      {"in_plan", flag.in_plan()},
                      {"in_configuration", flag.in_configuration()},
                      {"text", flag.text}});
    }
  }
  std::cout << rows.dump(1) << "\n";
}

// Leaves the cases that `options` ask for. Throws std::regex_error where the filter takes too long.
void Keep(const Options& options, Registry& all) {
  const std::regex filter(options.filter);
  auto& cases = *all.mutable_cases();
  cases.erase(std::remove_if(cases.begin(), cases.end(),
                             [&](const ResolvedCase& c) {
                               return (options.left_out && !LeftOut(c.benchmark_case())) ||
                                      !std::regex_search(c.benchmark_case().label(), filter);
                             }),
              cases.end());
}

int Print(Registry& registry, const std::string& format) {
  if (format == "json") return PrintJson(registry);
  if (format == "csv") {
    PrintCsv(registry);
  } else if (format == "models") {
    PrintModels(registry);
  } else if (format == "unreferenced") {
    PrintUnreferenced(registry);
  } else if (format == "counts") {
    PrintCounts(registry);
  } else if (format == "flags") {
    std::cout << configuration::FlagTables();
  } else {
    PrintText(registry);
  }
  return 0;
}

absl::StatusOr<int> Main(const std::vector<std::string>& words) {
  Options options;
  const absl::Status parsed = base::ParseFlags(Flags(options), words);
  if (!parsed.ok()) return parsed;
  if (options.help) return processes::Print(kUsage);
  if (options.format == "flags_json") {  // which needs no registry
    PrintFlagsAsJson();
    return 0;
  }
  google::protobuf::Arena arena;  // millions of small parts, else allocated and freed one by one
  Registry& all = *google::protobuf::Arena::CreateMessage<Registry>(&arena);
  std::ifstream file(options.registry, std::ios::binary);
  if (!file || !all.ParseFromIstream(&file)) {
    return absl::UnavailableError(
        absl::StrCat("cannot read the registry '", options.registry,
                     "'; start it with: tools/bazel run //benchmarks:list"));
  }
  try {
    Keep(options, all);
    return Print(all, options.format);
  } catch (const std::regex_error& error) {
    return absl::InvalidArgumentError(
        absl::StrCat("--filter=", options.filter, " cannot be matched: ", error.what()));
  }
}

}  // namespace
}  // namespace assay

int main(int argc, char** argv) {
  return assay::processes::ProgramMain(argc, argv, {.name = "list", .run = assay::Main});
}
