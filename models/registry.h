#ifndef ASSAY_MODELS_REGISTRY_H_
#define ASSAY_MODELS_REGISTRY_H_

// ---------------------------------------------------------------------------------------------
// models/registry.h: finds an implementation's code by the name that the tables use.
//
// Each family registers itself when its library is linked in (cc_library with alwayslink = True),
// so a program knows exactly the families in its deps and no central list exists.
//
// Not for: variants (resnet50 is data: an implementation with parameters), nor for validation of
// single parameters, which the build has done.
//
// Example, at the end of a family's .cc:
//
//     ASSAY_MODEL_IMPLEMENTATION(
//         "mlp", [](const Parameters& parameters) -> absl::StatusOr<std::unique_ptr<Model>> {
//           return std::make_unique<Mlp>(parameters);
//         });
// ---------------------------------------------------------------------------------------------

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "models/model.h"
#include "models/parameters.h"

namespace assay::models {

// INVALID_ARGUMENT if parameters that are right one by one do not fit together.
using Factory = absl::StatusOr<std::unique_ptr<Model>> (*)(const Parameters& parameters);

// Builds a model. NOT_FOUND, with the list of names, if the implementation is not linked in;
// otherwise the result of its factory. Throws c10::Error if there is not enough memory.
absl::StatusOr<std::unique_ptr<Model>> Create(std::string_view implementation,
                                              const Parameters& parameters);

// Names of all implementations in this program, sorted.
std::vector<std::string> Implementations();

// For the macro below. Aborts if the name is taken: two libraries claim it.
bool Register(std::string_view implementation, Factory factory);

#define ASSAY_MODEL_CONCATENATE_INNER(a, b) a##b
#define ASSAY_MODEL_CONCATENATE(a, b) ASSAY_MODEL_CONCATENATE_INNER(a, b)
// Variadic because a factory's body may hold commas.
#define ASSAY_MODEL_IMPLEMENTATION(name, ...)                                                  \
  [[maybe_unused]] static const bool ASSAY_MODEL_CONCATENATE(assay_registered_, __COUNTER__) = \
      ::assay::models::Register(name, __VA_ARGS__)

}  // namespace assay::models

#endif  // ASSAY_MODELS_REGISTRY_H_
