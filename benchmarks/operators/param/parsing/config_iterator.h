#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_CONFIG_ITERATOR_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_CONFIG_ITERATOR_H_

// ---------------------------------------------------------------------------------------------
// config_iterator.h: the configurations that a list "build" or "input" stands for, one by one, as
// PARAM's iterators make them (train/compute/python/lib/iterator.py).
//
//   DefaultConfigIterator   each element as it stands; ids 0, 1, ...
//   RangeConfigIterator     each element's macros multiplied out, the last one fastest; ids
//                           "<element>_<combination>"
//   DummyConfigIterator     one configuration without arguments
//   SplitTableBatchedEmbeddingBagsCodegenInputIterator   ranges of batch size and pooling factor,
//                           laid between the arguments of the build
//
// Macros of an argument: "__range__": ["shape"] makes [min, max, step], both ends included, of each
// dimension that is a list; of an int's "value" too; of str, bool, device and dtype a list of
// choices. "__list__": ["shape"] takes the attribute as a list of choices whatever it is.
// "__copy__": [{"shape": [i, [j, k]]}] sets this tensor's shape[i] to args[j]'s shape[k], after the
// ranges. What a macro leads to is held to nothing here: arguments.h does that.
//
// Not for: values (data_generator.h).
//
// Example:
//   auto iterator = MakeConfigIterator("RangeConfigIterator", elements, nullptr);
//   while (std::optional<NextConfig> next = (*iterator)->Next()) Run(next->id, *next->config);
// ---------------------------------------------------------------------------------------------

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"
#include "benchmarks/operators/param/parsing/config_file.h"

namespace assay::param {

struct NextConfig {
  std::string id;
  absl::StatusOr<Json> config;  // {"args": [...], "kwargs": {...}}; no macros in it
};

class ConfigIterator {
 public:
  virtual ~ConfigIterator() = default;
  // After an error the iterator goes on with the next element.
  virtual std::optional<NextConfig> Next() = 0;
};

// A list of the file; its elements are read when they are asked for.
struct Elements {
  int64_t count = 0;
  std::function<absl::StatusOr<Json>(int64_t)> read = {};
};

// "" is the default one. `build`, null where there is none, is the configuration of the operator
// for which inputs are iterated. InvalidArgument, with the names there are, for an unknown name.
absl::StatusOr<std::unique_ptr<ConfigIterator>> MakeConfigIterator(std::string_view name,
                                                                   const Elements& elements,
                                                                   const Json* build);

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_PARSING_CONFIG_ITERATOR_H_
