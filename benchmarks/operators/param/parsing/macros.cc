#include "benchmarks/operators/param/parsing/macros.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::param {
namespace {

constexpr char kRange[] = "__range__", kList[] = "__list__", kCopy[] = "__copy__";

// An error with names and types from the file.
absl::Status Wrong(std::string_view pointer, std::string_view what) {
  constexpr size_t kLongest = 400;
  return absl::InvalidArgumentError(base::Printable(absl::StrCat(pointer, ": ", what), kLongest));
}

// Whether the macro names the attribute. A macro that is no list of names means "value".
bool Names(const Json& argument, const char* macro, std::string_view attribute) {
  const auto found = argument.find(macro);
  if (found == argument.end()) return false;
  if (!found->is_array()) return attribute == "value";
  return std::any_of(found->begin(), found->end(), [&](const Json& name) {
    return name.is_string() && name.get_ref<const std::string&>() == attribute;
  });
}

std::string TypeOf(const Json& argument) {
  const auto type = argument.find("type");
  return type != argument.end() && type->is_string() ? type->get<std::string>() : "";
}

void RemoveMacros(Json& argument) {
  if (!argument.is_object()) return;
  for (const char* macro : {kRange, kList, kCopy}) argument.erase(macro);
  const std::string type = TypeOf(argument);
  if (type != "genericlist" && type != "tuple") return;
  if (const auto items = argument.find("value"); items != argument.end() && items->is_array()) {
    for (Json& item : *items) RemoveMacros(item);
  }
}

// The element of a list, or null.
Json* ElementOf(Json& list, const Json& index) {
  if (!list.is_array() || !index.is_number_unsigned()) return nullptr;
  const auto at = index.get<uint64_t>();
  return at < list.size() ? &list[at] : nullptr;
}

// An attribute of an argument, or null.
Json* AttributeOf(Json* argument, const std::string& name) {
  if (argument == nullptr || !argument->is_object()) return nullptr;
  const auto found = argument->find(name);
  return found == argument->end() ? nullptr : &*found;
}

}  // namespace

void Expansion::Axis::Set() const {
  *place = choices.empty() ? Json(first + at * step) : choices[static_cast<size_t>(at)];
}

absl::StatusOr<std::unique_ptr<Expansion>> Expansion::Of(Json config) {
  if (!config.is_object()) return Wrong("", "want an object with \"args\" and \"kwargs\"");
  auto expansion = std::unique_ptr<Expansion>(new Expansion(std::move(config)));
  if (absl::Status prepared = expansion->Prepare(); !prepared.ok()) return prepared;
  return expansion;
}

absl::Status Expansion::Prepare() {
  struct Argument {
    Json* value;
    std::string pointer;
  };
  // arguments.h refuses anything that is no list or object of arguments.
  std::vector<Argument> arguments;
  if (const auto args = config_.find("args"); args != config_.end() && args->is_array()) {
    for (size_t i = 0; i < args->size(); ++i)
      arguments.push_back({&(*args)[i], absl::StrCat("/args/", i)});
  }
  if (const auto kwargs = config_.find("kwargs"); kwargs != config_.end() && kwargs->is_object()) {
    for (auto& [name, value] : kwargs->items())
      arguments.push_back({&value, absl::StrCat("/kwargs/", name)});
  }
  // Macros are copied before they are removed, because removing moves the members of an object.
  std::vector<Json> originals;
  for (const Argument& argument : arguments) originals.push_back(*argument.value);
  for (const Argument& argument : arguments) RemoveMacros(*argument.value);
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::Status added = AddAxes(*arguments[i].value, originals[i], arguments[i].pointer);
    if (!added.ok()) return added;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    absl::Status added = AddCopies(*arguments[i].value, originals[i], arguments[i].pointer);
    if (!added.ok()) return added;
  }
  Fill();
  return absl::OkStatus();
}

absl::Status Expansion::AddAxes(Json& argument, const Json& original, const std::string& pointer) {
  if (!original.is_object()) return absl::OkStatus();
  for (const char* macro : {kRange, kList}) {
    const auto names = original.find(macro);
    if (names == original.end() || !names->is_array()) continue;
    for (const Json& name : *names) {
      if (!name.is_string() || !original.contains(name.get_ref<const std::string&>()))
        return Wrong(absl::StrCat(pointer, "/", macro), "names an attribute that is not there");
    }
  }
  // In the order of the file, as in PARAM's products.
  for (const auto& [attribute, value] : original.items()) {
    const std::string place = absl::StrCat(pointer, "/", attribute);
    Json* const own = AttributeOf(&argument, attribute);
    absl::Status added;
    if (own != nullptr && Names(original, kList, attribute)) {
      added = AddChoices(*own, place);
    } else if (own != nullptr && Names(original, kRange, attribute)) {
      added = AddAttribute(*own, original, attribute, place);
    }
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

absl::Status Expansion::AddAttribute(Json& value, const Json& original,
                                     const std::string& attribute, const std::string& pointer) {
  const std::string type = TypeOf(original);
  if (type == "tensor" && attribute == "shape") {
    if (!value.is_array()) return Wrong(pointer, "want a list");
    for (size_t i = 0; i < value.size(); ++i) {
      if (!value[i].is_array()) continue;
      absl::Status added = AddRange(value[i], absl::StrCat(pointer, "/", i));
      if (!added.ok()) return added;
    }
    return absl::OkStatus();
  }
  if (type == "tensor" && attribute == "dtype") return AddChoices(value, pointer);
  if (attribute != "value") return Wrong(pointer, "this attribute has no range");
  if (type == "int" || type == "long") return AddRange(value, pointer);
  if (type == "str" || type == "bool" || type == "device") return AddChoices(value, pointer);
  if (type != "genericlist" && type != "tuple")
    return Wrong(pointer, absl::StrCat("an argument of type \"", type, "\" has no range"));
  const Json& originals = original["value"];
  if (!value.is_array()) return Wrong(pointer, "want a list");
  for (size_t i = 0; i < value.size(); ++i) {
    absl::Status added = AddAxes(value[i], originals[i], absl::StrCat(pointer, "/", i));
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

absl::Status Expansion::AddRange(Json& value, const std::string& pointer) {
  const bool three = value.is_array() && value.size() == 3 &&
                     std::all_of(value.begin(), value.end(),
                                 [](const Json& number) { return number.is_number_integer(); });
  if (!three) return Wrong(pointer, "a range is three integers: [min, max, step]");
  constexpr int64_t kLargest = int64_t{1} << 53;
  const auto first = value[0].get<int64_t>(), last = value[1].get<int64_t>(),
             step = value[2].get<int64_t>();
  if (std::max({first, last, step}) > kLargest || std::min({first, last, step}) < -kLargest)
    return Wrong(pointer, "a range goes from -2^53 to 2^53");
  if (step == 0) return Wrong(pointer, "the range has step 0");
  if (first != last && (first < last) != (step > 0)) {
    return Wrong(pointer, absl::StrCat("the range from ", first, " to ", last, " has step ", step,
                                       ", which leads away from its end"));
  }
  axes_.push_back(
      {.place = &value, .count = (last - first) / step + 1, .first = first, .step = step});
  return absl::OkStatus();
}

absl::Status Expansion::AddChoices(Json& value, const std::string& pointer) {
  if (!value.is_array() || value.empty()) return Wrong(pointer, "want a list of choices");
  Axis axis = {.place = &value, .count = static_cast<int64_t>(value.size())};
  axis.choices.assign(value.begin(), value.end());
  axes_.push_back(std::move(axis));
  return absl::OkStatus();
}

absl::Status Expansion::AddCopies(Json& argument, const Json& original,
                                  const std::string& pointer) {
  if (!original.is_object() || !original.contains(kCopy)) return absl::OkStatus();
  const std::string place = absl::StrCat(pointer, "/", kCopy);
  const Json& maps = original[kCopy];
  constexpr char kForm[] = "want [{\"shape\": [element, [argument, element]]}]";
  if (TypeOf(original) != "tensor") return Wrong(place, "only tensors copy attributes");
  if (!maps.is_array()) return Wrong(place, kForm);
  for (const Json& map : maps) {
    if (!map.is_object()) return Wrong(place, kForm);
    for (const auto& [attribute, mapping] : map.items()) {
      if (!mapping.is_array() || mapping.size() != 2 || !mapping[1].is_array() ||
          mapping[1].size() != 2)
        return Wrong(place, kForm);
      Json* const own = AttributeOf(&argument, attribute);
      Json* const other = config_.contains("args")
                              ? AttributeOf(ElementOf(config_["args"], mapping[1][0]), attribute)
                              : nullptr;
      Json* const to = own == nullptr ? nullptr : ElementOf(*own, mapping[0]);
      const Json* const from = other == nullptr ? nullptr : ElementOf(*other, mapping[1][1]);
      const auto chosen = [&](const Json* list) {
        return std::any_of(axes_.begin(), axes_.end(),
                           [&](const Axis& axis) { return axis.place == list; });
      };
      if (chosen(own) || chosen(other))
        return Wrong(place, absl::StrCat("\"", attribute, "\" is a list of choices"));
      if (to == nullptr || from == nullptr)
        return Wrong(place, absl::StrCat("there is no such element: ", mapping.dump()));
      copies_.push_back({to, from, *to});
    }
  }
  return absl::OkStatus();
}

void Expansion::Fill() {
  for (const Copy& copy : copies_) *copy.to = copy.before;
  for (const Axis& axis : axes_) axis.Set();
  for (const Copy& copy : copies_) {
    const Json value = *copy.from;  // both may be the same
    *copy.to = value;
  }
}

bool Expansion::Advance() {
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    if (++axis->at < axis->count) {
      Fill();
      return true;
    }
    axis->at = 0;
  }
  return false;
}

}  // namespace assay::param
