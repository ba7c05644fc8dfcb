#include "benchmarks/harness/record/repeated_names.h"

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::record {
namespace {

using Json = nlohmann::json;

// Keeps the names of every object that is open. A callback that returns false ends the parse.
class NameEvents : public nlohmann::json_sax<Json> {
 public:
  const absl::Status& status() const { return status_; }

  bool start_object(size_t) override {
    names_.emplace_back();
    return true;
  }
  bool end_object() override {
    names_.pop_back();
    return true;
  }
  bool key(std::string& name) override {
    if (names_.back().insert(name).second) return true;
    return Fail(
        absl::StrCat("not a record: the name \"", name,
                     "\" stands twice in one object, and readers differ in which they take"));
  }
  bool parse_error(size_t, const std::string&, const Json::exception& error) override {
    return Fail(absl::StrCat("not a record: not JSON: ", error.what()));
  }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(int64_t) override { return true; }
  bool number_unsigned(uint64_t) override { return true; }
  bool number_float(double, const std::string&) override { return true; }
  bool string(std::string&) override { return true; }
  bool binary(Json::binary_t&) override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }

 private:
  bool Fail(const std::string& message) {
    status_ = absl::InvalidArgumentError(message);
    return false;
  }

  std::vector<std::set<std::string>> names_;
  absl::Status status_;
};

}  // namespace

absl::Status CheckNamesOnce(std::string_view json) {
  NameEvents events;
  Json::sax_parse(json.begin(), json.end(), &events);
  return events.status();
}

}  // namespace assay::record
