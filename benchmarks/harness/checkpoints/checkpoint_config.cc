#include "benchmarks/harness/checkpoints/checkpoint_config.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "defs/case/dimensions.h"
#include "defs/case/program_kinds.h"
#include "defs/compiler/case_resolution.h"

namespace assay::checkpoints {
namespace {

using base::Quoted;
using Json = nlohmann::json;
using Key = CheckpointConfig::Key;
using ParameterMap = google::protobuf::Map<std::string, ParameterValue>;
using Values = std::map<std::string, Json, std::less<>>;

constexpr size_t kLongestValue = 60;

absl::Status Refused(std::string_view problem) {
  return absl::InvalidArgumentError(absl::StrCat("config.json: ", problem));
}

std::string Text(const Json& value) {
  return base::Printable(value.dump(-1, ' ', false, Json::error_handler_t::replace), kLongestValue);
}

Json Parsed(std::string_view json) {
  return Json::parse(json, nullptr, /*allow_exceptions=*/false);
}

// The number p such that each p-th of the layers is of full attention and the others have a window; 0:
// all have one. Null where the value is no such list.
Json Period(const Json& layers) {
  if (!layers.is_array() || layers.empty()) return nullptr;
  int64_t period = 0, place = 0;
  for (const Json& layer : layers) {
    ++place;
    const bool full = layer == "full_attention";
    if (full && period == 0) period = place;
    if (full != (period > 0 && place % period == 0)) return nullptr;
    if (!full && layer != "sliding_attention") return nullptr;
  }
  return period;
}

// Puts the members of `file` into `values` by the names that the table has for them.
void AddNamed(const Json& file, const std::string& path, const std::set<std::string>& names,
              Values& values) {
  for (const auto& [member, value] : file.items()) {
    const std::string name = absl::StrCat(path, member);
    const auto opened = names.lower_bound(absl::StrCat(name, "."));
    const bool opens = opened != names.end() && opened->starts_with(absl::StrCat(name, "."));
    if (names.contains(absl::StrCat("#", name)) && value.is_object()) {
      values[absl::StrCat("#", name)] = value.size();
    } else if (names.contains(absl::StrCat("%", name)) && !Period(value).is_null()) {
      values[absl::StrCat("%", name)] = Period(value);
    } else if (opens && value.is_object()) {
      AddNamed(value, name + ".", names, values);
    } else {
      values[name] = value;
    }
  }
}

Values Named(const Json& file, const CheckpointConfig& table) {
  std::set<std::string> names;
  for (const Key& key : table.keys()) names.insert(key.names().begin(), key.names().end());
  Values values;
  AddNamed(file, "", names, values);
  return values;
}

// Whether a key of the table has this name, or lies in the object of this name.
bool Reads(const CheckpointConfig& table, std::string_view name) {
  const std::string inside = absl::StrCat(name, ".");
  return name == "model_type" || absl::c_any_of(table.keys(), [&](const Key& key) {
           return absl::c_any_of(key.names(), [&](std::string_view read) {
             if (read.starts_with('#') || read.starts_with('%')) read.remove_prefix(1);
             return read == name || read.starts_with(inside);
           });
         });
}

absl::Status CheckIgnored(const std::vector<std::string>& ignored, const CheckpointConfig& table,
                          const Values& values, std::string_view code) {
  for (const std::string& name : ignored) {
    if (Reads(table, name)) {
      return Refused(absl::StrCat(Quoted(name), " is a size or setting that ", code,
                                  " reads; --config-ignore is for other keys"));
    }
    if (!values.contains(name)) {
      return Refused(
          absl::StrCat("it has no ", Quoted(name), " that --config-ignore could leave out"));
    }
  }
  return absl::OkStatus();
}

// Whether lists that say something of each layer are as long as transformers demands.
absl::Status CheckLayers(const Json& file, const CheckpointConfig& table) {
  const auto layers = file.find("num_hidden_layers");
  for (const Key& key : table.keys()) {
    for (const std::string& name : key.names()) {
      const auto list = name.starts_with('%') ? file.find(name.substr(1)) : file.end();
      if (list == file.end() || !list->is_array() || layers == file.end()) continue;
      if (*layers == list->size()) continue;
      return Refused(absl::StrCat(Quoted(name.substr(1)), " has ", list->size(),
                                  " layers, and \"num_hidden_layers\" is ", Text(*layers)));
    }
  }
  return absl::OkStatus();
}

// Reads one file by one table.
class Reading {
 public:
  Reading(const ResolvedCase& c, const CheckpointConfig& table, Values values)
      : c_(c), table_(table), values_(std::move(values)) {}

  absl::StatusOr<ParameterMap> Parameters(const std::vector<std::string>& ignored) {
    for (const Key& key : table_.keys()) {
      if (absl::Status read = Read(key); !read.ok()) return read;
    }
    if (absl::Status known = CheckKnown(ignored); !known.ok()) return known;
    return std::move(parameters_);
  }

 private:
  std::string Code() const { return c_.implementation().name(); }

  absl::Status Read(const Key& key) {
    const absl::StatusOr<std::optional<Json>> found = Find(key);
    if (!found.ok()) return found.status();
    if (key.parameter().empty()) {
      const std::string lacking = found->has_value() ? "" : Lacking(key);
      if (lacking.empty() || key.absent().empty()) return absl::OkStatus();
      return Refused(absl::StrCat("it has no ", Quoted(lacking), ", which means ", key.absent(),
                                  "; ", Code(), " computes only ",
                                  absl::StrJoin(key.only(), " or ")));
    }
    const absl::StatusOr<Json> value = found->has_value() ? **found : Absent(key);
    if (!value.ok()) return value.status();
    numbers_[key.parameter()] = value->is_number_integer() ? value->get<int64_t>() : 0;
    return Set(key, *value);
  }

  // The name "a.b" of the key where the file has the object a; empty where it has no such object.
  std::string Lacking(const Key& key) const {
    for (const std::string& name : key.names()) {
      const std::string object = name.substr(0, name.rfind('.') + 1);
      const auto member = values_.lower_bound(object);
      if (!object.empty() && member != values_.end() && member->first.starts_with(object))
        return name;
    }
    return "";
  }

  // The value that the file has; nothing where it leaves that to the table.
  absl::StatusOr<std::optional<Json>> Find(const Key& key) const {
    std::string where;
    const Json* found = nullptr;
    for (const std::string& name : key.names()) {
      const auto value = values_.find(name);
      if (value == values_.end()) continue;
      if (found != nullptr && *found != value->second) {
        return Refused(absl::StrCat(Quoted(where), " is ", Text(*found), ", and ", Quoted(name),
                                    ", which means the same, is ", Text(value->second)));
      }
      found = &value->second;
      where = name;
      if (name.starts_with('%')) break;  // transformers reads a list of layers before all else
    }
    if (found == nullptr) return std::nullopt;
    if (found->is_null() && !key.null().empty()) return Parsed(key.null());
    if (found->is_null()) return std::nullopt;
    const auto computed = [&key](const Json& value) {
      return absl::c_any_of(key.only(), [&](const std::string& o) { return Parsed(o) == value; });
    };
    const bool restricted = key.parameter().empty() || key.only_size() > 0;
    const bool good = computed(*found) || (found->is_array() && absl::c_all_of(*found, computed));
    if (!restricted || good) return *found;
    return Refused(absl::StrCat(Quoted(where), " is ", Text(*found), "; ", Code(),
                                " computes only ", absl::StrJoin(key.only(), " or ")));
  }

  absl::StatusOr<Json> Absent(const Key& key) const {
    const bool computed = !key.quotient().empty() && !Lacking(key).empty();
    if (!key.absent().empty() && !computed) return Parsed(key.absent());
    std::string_view quotient = key.quotient();
    const bool squared =
        absl::ConsumePrefix(&quotient, "(") && absl::ConsumeSuffix(&quotient, ")^2");
    const std::vector<std::string> parts = absl::StrSplit(quotient, '/', absl::SkipEmpty());
    if (parts.empty()) {
      return Refused(
          absl::StrCat("it has no ", Quoted(key.names(0)), ", which ", Code(), " needs"));
    }
    const int64_t dividend = numbers_.at(parts[0]);
    const int64_t divisor = parts.size() > 1 ? numbers_.at(parts[1]) : 1;
    if (divisor > 0 && dividend % divisor == 0) {
      const int64_t whole = dividend / divisor;
      int64_t square = 0;
      if (squared && __builtin_mul_overflow(whole, whole, &square))
        return Refused(
            absl::StrCat("the square of ", quotient, " is larger than an integer holds"));
      return squared ? square : whole;
    }
    return Refused(absl::StrCat("it has no ", Quoted(key.names(0)), ", and ", quotient, " is ",
                                dividend, "/", divisor, ", no whole number"));
  }

  absl::Status Set(const Key& key, const Json& value) {
    const auto spec = absl::c_find_if(c_.implementation().parameters(), [&key](const auto& p) {
      return p.name() == key.parameter();
    });
    ParameterValue& set = parameters_[key.parameter()];
    const std::string kind = spec == c_.implementation().parameters().end() ? "" : spec->kind();
    if (kind == "integer" && value.is_number_integer() &&
        (!value.is_number_unsigned() || value.get<uint64_t>() <= INT64_MAX)) {
      set.set_integer(value.get<int64_t>());
    } else if (kind == "real" && value.is_number()) {
      set.set_real(value.get<double>());
    } else if (kind == "flag" && value.is_boolean()) {
      set.set_flag(value.get<bool>());
    } else if (kind == "text" && value.is_string()) {
      set.set_text(value.get<std::string>());
    } else {
      return Refused(absl::StrCat(Quoted(key.names_size() > 0 ? key.names(0) : key.parameter()),
                                  " is ", Text(value), "; ", Code(), " takes a value of kind ",
                                  kind));
    }
    return absl::OkStatus();
  }

  absl::Status CheckKnown(const std::vector<std::string>& ignored) const {
    std::set<std::string> known = {"model_type"};
    known.insert(table_.unread().begin(), table_.unread().end());
    known.insert(ignored.begin(), ignored.end());
    for (const Key& key : table_.keys()) known.insert(key.names().begin(), key.names().end());
    for (const auto& [name, value] : values_) {
      // transformers takes null for what a file does not say.
      if (known.contains(name) || value.is_null()) continue;
      if (known.contains(absl::StrCat("%", name))) {
        return Refused(absl::StrCat(Quoted(name), " is ", Text(value), "; ", Code(),
                                    " computes only \"full_attention\" at each p-th layer, and "
                                    "\"sliding_attention\" at all others"));
      }
      return Refused(
          absl::StrCat(Quoted(name), " is ", Text(value), "; ", Code(),
                       " does not know this key (checkpoint_configs in its variants.bzl). "
                       "If it changes no output, add --config-ignore=",
                       base::Printable(name, kLongestValue)));
    }
    return absl::OkStatus();
  }

  const ResolvedCase& c_;
  const CheckpointConfig& table_;
  const Values values_;
  ParameterMap parameters_;
  std::map<std::string, int64_t> numbers_;  // of the integers that were read
};

// Whether tables of positions are long enough for the case's rows and for the tokens behind them.
absl::Status CheckReach(const CheckpointConfig& table, const ResolvedCase& resized) {
  const int64_t behind =
      std::max<int64_t>(resized.benchmark_case().generation().new_tokens() - 1, 0);
  for (const Key& key : table.keys()) {
    const Workload& workload = resized.measured();
    const std::optional<int64_t> wanted =
        Evaluate(key.reaches(), workload, resized.benchmark_case().seed());
    if (!wanted.has_value()) continue;
    const int64_t value = workload.parameters().at(key.parameter()).integer();
    if (*wanted + behind <= value) continue;
    return Refused(absl::StrCat(Quoted(key.names(0)), " is ", value, ", and the case has ",
                                *wanted + behind, " positions; take a case with shorter rows"));
  }
  return absl::OkStatus();
}

std::string ValueText(const ParameterValue& value) {
  switch (value.value_case()) {
    case ParameterValue::kInteger:
      return absl::StrCat(value.integer());
    case ParameterValue::kReal:
      return absl::StrCat(value.real());
    case ParameterValue::kFlag:
      return value.flag() ? "true" : "false";
    default:
      return value.text();
  }
}

// "n_layer 3 (2)", with the case's in brackets, of each parameter that differs, in the implementation's order.
std::vector<std::string> Differences(const ResolvedCase& c, const ParameterMap& parameters) {
  std::vector<std::string> differences;
  for (const ParameterSpec& spec : c.implementation().parameters()) {
    const auto now = parameters.find(spec.name());
    const auto before = c.measured().parameters().find(spec.name());
    if (now == parameters.end() || before == c.measured().parameters().end()) continue;
    const std::string text = ValueText(now->second), was = ValueText(before->second);
    if (text != was) differences.push_back(absl::StrCat(spec.name(), " ", text, " (", was, ")"));
  }
  return differences;
}

absl::StatusOr<ResolvedCase> Resized(const ResolvedCase& c, const ParameterMap& parameters) {
  Family family;
  *family.add_implementations() = c.implementation();
  *family.add_models() = c.model();
  BenchmarkCase sized = c.benchmark_case();
  for (const auto& [name, value] : parameters) (*sized.mutable_parameters())[name] = value;
  Problems problems;
  ResolvedCase resolved =
      Resolve(family, sized, {.key = c.reference().key(), .rows = c.referenced().batch()}, {},
              "config.json", &problems);
  if (!problems.empty()) return absl::InvalidArgumentError(absl::StrJoin(problems, "\n"));
  *resolved.mutable_execution_limits() = c.execution_limits();
  if (c.has_unlowered_verify()) *resolved.mutable_unlowered_verify() = c.unlowered_verify();
  return resolved;
}

}  // namespace

absl::StatusOr<ConfiguredCase> WithCheckpointConfig(const ResolvedCase& c, std::string_view json,
                                                    const std::vector<std::string>& ignored) {
  const ModelImplementation& code = c.implementation();
  if (code.checkpoint_configs().empty()) {
    return ConfiguredCase{
        c, {absl::StrCat("config.json is not read: ", code.name(), " has no table of its keys")}};
  }
  const Json file = Parsed(json);
  if (!file.is_object()) return Refused("it is no JSON object");
  const auto type = file.find("model_type");
  const auto table = absl::c_find_if(code.checkpoint_configs(), [&](const CheckpointConfig& t) {
    return type != file.end() && *type == t.model_type();
  });
  if (table == code.checkpoint_configs().end()) {
    const auto quoted = [](std::string* out, const auto& t) {
      absl::StrAppend(out, "\"", t.model_type(), "\"");
    };
    return Refused(absl::StrCat(
        "\"model_type\" is ", type == file.end() ? "not there" : Text(*type), "; ", code.name(),
        " computes ", absl::StrJoin(code.checkpoint_configs(), ", ", quoted)));
  }
  const Values values = Named(file, *table);
  if (absl::Status good = CheckIgnored(ignored, *table, values, code.name()); !good.ok())
    return good;
  if (absl::Status good = CheckLayers(file, *table); !good.ok()) return good;
  Reading reading(c, *table, values);
  const absl::StatusOr<ParameterMap> parameters = reading.Parameters(ignored);
  if (!parameters.ok()) return parameters.status();
  ConfiguredCase configured;
  for (const std::string& name : ignored) {
    configured.notes.push_back(
        absl::StrCat("config.json: ", Quoted(name), " is not read, as --config-ignore says"));
  }
  const std::vector<std::string> differences = Differences(c, *parameters);
  if (!differences.empty() && KindOf(c).trains) {
    return Refused(
        absl::StrCat(absl::StrJoin(differences, ", "),
                     " of the case: a training step also depends on settings that are not "
                     "read, such as dropout; take a case that does not train"));
  }
  absl::StatusOr<ResolvedCase> resized = Resized(c, *parameters);
  if (!resized.ok()) return resized.status();
  if (absl::Status reach = CheckReach(*table, *resized); !reach.ok()) return reach;
  configured.resolved = *std::move(resized);
  if (!differences.empty()) {
    configured.notes.push_back(
        absl::StrCat("sizes of config.json (of the case): ", absl::StrJoin(differences, ", ")));
  }
  return configured;
}

}  // namespace assay::checkpoints
