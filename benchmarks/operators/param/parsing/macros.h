#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_MACROS_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_MACROS_H_

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
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::param {

class Expansion {
 public:
  // InvalidArgument, with the JSON pointer of the place, for a step of 0 or of the wrong sign, a
  // range that is not three integers, an attribute that does not exist, and a copy of something
  // that does not exist.
  static absl::StatusOr<std::unique_ptr<Expansion>> Of(Json config);

  Expansion(const Expansion&) = delete;  // axes point into the configuration

  const Json& Current() const { return config_; }
  // Moves to the next combination; false if there is none.
  bool Advance();

 private:
  // A value of the configuration that several values are tried for.
  struct Axis {
    Json* place = nullptr;
    int64_t count = 0;
    int64_t first = 0, step = 0;     // for a range
    std::vector<Json> choices = {};  // for a list, which is not empty
    int64_t at = 0;

    void Set() const;
  };
  struct Copy {
    Json* to;
    const Json* from;
    Json before;  // the original value
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
  std::vector<Axis> axes_;  // the last one varies fastest
  std::vector<Copy> copies_;
};

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_MACROS_H_
