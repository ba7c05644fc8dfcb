#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_MACROS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_MACROS_H_

// ---------------------------------------------------------------------------------------------
// macros.h: one configuration with macros (config_iterator.h), multiplied out lazily.
//
// Example:
//   absl::StatusOr<std::unique_ptr<Expansion>> expansion = Expansion::Of(config);
//   do Use((*expansion)->Current()); while ((*expansion)->Advance());
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/operators/param/config_file.h"

namespace assay::param {

class Expansion {
 public:
  // InvalidArgument, with the JSON pointer of the place, for a step of 0 or of the wrong sign, for
  // a range that is no three integers, an attribute that is not there, and a copy from nowhere.
  static absl::StatusOr<std::unique_ptr<Expansion>> Of(Json config);

  Expansion(const Expansion&) = delete;  // axes point into the configuration

  const Json& Current() const { return config_; }
  // To the next combination; false where that was the last.
  bool Advance();

 private:
  // One value of the configuration that takes several.
  struct Axis {
    Json* place = nullptr;
    int64_t count = 0;
    int64_t first = 0, step = 0;     // of a range
    std::vector<Json> choices = {};  // not empty: of a list
    int64_t at = 0;

    void Set() const;
  };
  struct Copy {
    Json* to;
    const Json* from;
    Json before;  // what stood there
  };

  explicit Expansion(Json config) : config_(std::move(config)) {}

  absl::Status Prepare();
  // `original` is the argument with its macros.
  absl::Status AddAxes(Json& argument, const Json& original, const std::string& pointer);
  absl::Status AddAttribute(Json& value, const Json& original, const std::string& attribute,
                            const std::string& pointer);
  absl::Status AddRange(Json& value, const std::string& pointer);
  absl::Status AddChoices(Json& value, const std::string& pointer);
  absl::Status AddCopies(Json& argument, const Json& original, const std::string& pointer);
  void Fill();

  Json config_;
  std::vector<Axis> axes_;  // the last is the fastest
  std::vector<Copy> copies_;
};

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_MACROS_H_
