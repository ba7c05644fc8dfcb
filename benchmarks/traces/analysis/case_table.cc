#include "benchmarks/traces/analysis/case_table.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "benchmarks/harness/text/json_text.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::traces {
namespace {

using Kind = TraceValue::Kind;

absl::Status NoCase(std::string_view what) { return absl::InvalidArgumentError(what); }

struct Dtype {
  std::string_view traced, name, word;  // word: of a case; empty: only of inputs and results
  bool whole = false;
};
constexpr Dtype kCaseDtypes[] = {{"float", "FP32", "fp32"},     {"c10::BFloat16", "BF16", "bf16"},
                                 {"c10::Half", "FP16", "fp16"}, {"long int", "INT64", "", true},
                                 {"int", "INT32", "", true},    {"bool", "BOOL", "", true}};

const Dtype* DtypeOf(const TraceTensor& tensor) {
  const auto* const found =
      std::find_if(std::begin(kCaseDtypes), std::end(kCaseDtypes),
                   [&](const Dtype& dtype) { return dtype.traced == tensor.dtype; });
  return found == std::end(kCaseDtypes) ? nullptr : found;
}

struct SchemaArgument {
  std::string type, name, by_default;
};

// The arguments of "aten::f(Tensor self, int[2] stride=1, *, str s=\"a\") -> Tensor".
std::vector<SchemaArgument> ArgumentsOf(std::string_view schema) {
  std::vector<SchemaArgument> arguments;
  std::string part;
  int depth = 0;
  for (const char c : schema.substr(std::min(schema.find('('), schema.size()))) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth > 1 || (c != ',' && depth > 0)) {
      if (depth > 1 || c != '(') part += c;
      continue;
    }
    const std::vector<std::string> sides = absl::StrSplit(part, absl::MaxSplits('=', 1));
    const std::string_view declared = absl::StripAsciiWhitespace(sides[0]);
    const size_t space = declared.rfind(' ');
    if (space != std::string_view::npos) {
      arguments.push_back({.type = std::string(declared.substr(0, space)),
                           .name = std::string(declared.substr(space + 1)),
                           .by_default = sides.size() > 1 ? sides[1] : ""});
    }
    part.clear();
    if (depth == 0) break;
  }
  return arguments;
}

bool Draws(const TraceNode& node) {
  constexpr std::string_view kDraw[] = {"rand",    "bernoulli",   "multinomial", "normal_",
                                        "uniform", "exponential", "poisson"};
  const bool dropout = absl::StrContains(node.name, "dropout") &&
                       !absl::StrContains(node.name, "backward") &&
                       absl::c_any_of(node.inputs, [](const TraceValue& value) {
                         return value.kind == Kind::kBool && value.integer != 0;
                       });
  return dropout || absl::c_any_of(kDraw, [&](std::string_view word) {
           return absl::StrContains(node.name, word);
         });
}

// A value of a table; InvalidArgument for one that a table cannot hold.
absl::StatusOr<std::string> TableValue(const TraceValue& value) {
  switch (value.kind) {
    case Kind::kNone:
    case Kind::kUndefinedTensor:
    case Kind::kGenerator:
      return "None";
    case Kind::kInt:
      return absl::StrCat(value.integer);
    case Kind::kDouble:
      if (!std::isfinite(value.number)) return NoCase("a number is not finite");
      return base::JsonNumber(value.number);
    case Kind::kBool:
      return value.integer != 0 ? "True" : "False";
    case Kind::kString:
      return base::Quoted(value.text);
    case Kind::kList:
      if (!absl::c_all_of(value.items,
                          [](const TraceValue& item) { return item.kind == Kind::kInt; }))
        return NoCase("a list of numbers that are no integers");
      return absl::StrCat("[",
                          absl::StrJoin(value.items, ", ",
                                        [](std::string* out, const TraceValue& item) {
                                          absl::StrAppend(out, item.integer);
                                        }),
                          "]");
    default:
      return NoCase("an argument of a kind that tables do not have");
  }
}

// Whether the schema's default is this value.
bool IsDefault(const TraceValue& value, const SchemaArgument& argument) {
  const std::string& text = argument.by_default;
  if (text.empty()) return false;
  if (value.kind == Kind::kDouble) return std::strtod(text.c_str(), nullptr) == value.number;
  // "int[2] stride=1" is [1, 1].
  const bool repeats = absl::c_all_of(value.items, [&](const TraceValue& item) {
    return item.kind == Kind::kInt && absl::StrCat(item.integer) == text;
  });
  if (value.kind == Kind::kList && !value.items.empty() && repeats) return true;
  const absl::StatusOr<std::string> written = TableValue(value);
  return written.ok() && *written == text;
}

std::string ShapeOf(const TraceTensor& tensor) {
  return absl::StrCat("[", absl::StrJoin(tensor.sizes, ", "), "]");
}

// The row that is being written.
class Row {
 public:
  Row(const TraceNode& node, const NeededContents& contents) : node_(node), contents_(contents) {}

  absl::Status Read() {
    absl::Status status = CheckOperator();
    const std::vector<SchemaArgument> declared = ArgumentsOf(node_.op_schema);
    if (status.ok() && declared.size() != node_.inputs.size())
      status = NoCase("the trace has another number of arguments than the schema");
    const std::vector<size_t> left_out = RunningStatistics(node_);
    for (size_t i = 0; i < declared.size() && status.ok(); ++i) {
      status = Argument(declared[i], node_.inputs[i]);
      if (absl::c_linear_search(left_out, i) && node_.inputs[i].kind == Kind::kTensor)
        inputs.pop_back();
    }
    if (!status.ok()) return status;
    if (inputs.empty()) return NoCase("it reads no tensor");
    return Results();
  }

  std::string call;
  std::vector<std::string> inputs, arguments, outputs;
  const Dtype* dtype = nullptr;  // of the case

 private:
  absl::Status CheckOperator() {
    if (!absl::StartsWith(node_.name, "aten::")) return NoCase("it is none of ATen's operators");
    if (Draws(node_)) return NoCase("it draws random numbers");
    if (absl::StrContains(node_.name, "empty")) return NoCase("nobody writes its result");
    call = OperatorName(node_);
    const size_t results = node_.op_schema.find(") -> ");
    const std::string_view returned =
        results == std::string::npos ? "" : std::string_view(node_.op_schema).substr(results);
    if (absl::StrContains(returned, "(a)") || absl::StrContains(returned, "(a ->"))
      return NoCase("its result is a view of its argument");
    if (!absl::StrContains(node_.op_schema, "!)")) return absl::OkStatus();
    if (!absl::EndsWith(node_.name, "_") || !absl::StrContains(returned, "!)"))
      return NoCase("it writes to its arguments");
    call = absl::StrCat(absl::StripSuffix(node_.name, "_"), call.substr(node_.name.size()));
    return absl::OkStatus();
  }

  absl::Status Argument(const SchemaArgument& declared, const TraceValue& value) {
    if (value.kind == Kind::kTensor) return Input(declared.name, value.tensor);
    if (absl::StartsWith(declared.type, "Tensor") && !value.items.empty()) {
      for (size_t i = 0; i < value.items.size(); ++i) {
        if (value.items[i].kind != Kind::kTensor) return NoCase("a list of tensors has a None");
        const absl::Status read = Input(absl::StrCat(declared.name, ".", i), value.items[i].tensor);
        if (!read.ok()) return read;
      }
      return absl::OkStatus();
    }
    if (value.kind == Kind::kDevice || IsDefault(value, declared)) return absl::OkStatus();
    const absl::StatusOr<std::string> written = TableValue(value);
    if (!written.ok()) return written.status();
    arguments.push_back(absl::StrCat("\"", declared.name, "\": ", *written));
    return absl::OkStatus();
  }

  absl::Status Input(std::string_view name, const TraceTensor& tensor) {
    const size_t place = place_++;
    const Dtype* const of = DtypeOf(tensor);
    if (of == nullptr)
      return NoCase(absl::StrCat("it has a tensor of dtype ", base::Quoted(tensor.dtype)));
    if (absl::StrContains(TensorText(tensor), "{")) return NoCase("an argument is not contiguous");
    if (dtype == nullptr && !of->word.empty()) dtype = of;
    const auto content = contents_.find(place);
    std::string distribution;
    if (of->name == "BOOL") {
      distribution = "bernoulli(0.5)";
    } else if (of->whole) {
      const bool limited = content != contents_.end() && content->second.limit.has_value();
      distribution = absl::StrCat("integers(",
                                  std::max<int64_t>(limited ? *content->second.limit : 2, 1), ")");
    } else if (content != contents_.end() && content->second.positive) {
      distribution = "uniform(low = 0.5, high = 2)";
    }
    inputs.push_back(absl::StrCat(
        "input(\"", name, "\", ", ShapeOf(tensor), distribution.empty() ? "" : ", ", distribution,
        of == dtype ? "" : absl::StrCat(", dtype = \"", of->name, "\""), ")"));
    return absl::OkStatus();
  }

  absl::Status Results() {
    if (dtype == nullptr) dtype = kCaseDtypes;
    // The table ends with the last result before one that cannot be compared.
    for (const TraceValue& value : node_.outputs) {
      const Dtype* const of = value.kind == Kind::kTensor ? DtypeOf(value.tensor) : nullptr;
      if (of == nullptr || value.tensor.elements == 0) break;
      outputs.push_back(
          absl::StrCat("result(\"result", outputs.empty() ? "" : absl::StrCat("_", outputs.size()),
                       "\", ", ShapeOf(value.tensor), ", ", of->whole ? "counts()" : "of_dtype()",
                       of == dtype ? "" : absl::StrCat(", dtype = \"", of->name, "\""), ")"));
    }
    return outputs.empty() ? NoCase("its result is no tensor that a case can compare")
                           : absl::OkStatus();
  }

  const TraceNode& node_;
  const NeededContents& contents_;
  size_t place_ = 0;  // of the next tensor
};

std::string ListOf(const std::vector<std::string>& items) {
  return absl::StrCat("[\n            ", absl::StrJoin(items, ",\n            "), ",\n        ]");
}

}  // namespace

std::string CaseRowName(const TraceNode& node, size_t rank) {
  std::string name = absl::AsciiStrToLower(node.name.substr(node.name.rfind(':') + 1));
  for (char& c : name) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return absl::StrCat(absl::StripSuffix(absl::StripPrefix(name, "_"), "_"), "_", rank);
}

absl::Status CaseTable::Add(const TraceNode& node, std::string_view name,
                            const NeededContents& contents, std::string_view note) {
  Row row(node, contents);
  const absl::Status read = row.Read();
  if (!read.ok()) return read;
  absl::StrAppend(&rows_, "    # ", note, "\n    operator(\n        \"", name,
                  "\",\n        call = \"", row.call, "\",\n        inputs = ", ListOf(row.inputs),
                  ",\n");
  if (!row.arguments.empty())
    absl::StrAppend(&rows_, "        arguments = {", absl::StrJoin(row.arguments, ", "), "},\n");
  absl::StrAppend(&rows_, "        outputs = ", ListOf(row.outputs), ",\n        dtypes = [\"",
                  row.dtype->word, "\"],\n        sizes = [at()],\n    ),\n");
  if (first_case_.empty()) first_case_ = absl::StrCat(name, "_", row.dtype->word);
  return absl::OkStatus();
}

std::string CaseTable::Table() const {
  std::string loads =
      "load(\"//defs:operator_limits.bzl\", \"counts\", \"of_dtype\")\n"
      "load(\"//defs:operators.bzl\", \"at\", \"operator\", \"result\")\n"
      "load(\"//defs:variants.bzl\", \"bernoulli\", \"input\", \"integers\", \"uniform\")\n";
  for (const std::string_view unused : {"bernoulli", "integers", "uniform", "counts"}) {
    if (!absl::StrContains(rows_, absl::StrCat(unused, "(")))
      loads = absl::StrReplaceAll(loads, {{absl::StrCat("\"", unused, "\", "), ""},
                                          {absl::StrCat(", \"", unused, "\""), ""}});
  }
  return absl::StrCat("\"\"\"Operators of an execution trace, the most expensive first.\"\"\"\n\n",
                      loads, "\nOPERATORS = [\n", rows_, "]\n");
}

std::string CaseTable::Build() const {
  return absl::StrCat(
      "# The operators of an execution trace as cases: tools/bazel run //tools/trace -- convert\n"
      "load(\"//defs:benchmarks.bzl\", \"benchmarks\")\nload(\":operators.bzl\", "
      "\"OPERATORS\")\n\nbenchmarks(\n    default_case = \"",
      first_case_, "\",\n    operators = OPERATORS,\n)\n");
}

}  // namespace assay::traces
