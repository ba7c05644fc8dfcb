#include "benchmarks/operators/param/parsing/config_iterator.h"

#include <map>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/parsing/macros.h"

namespace assay::param {
namespace {

class DefaultIterator final : public ConfigIterator {
 public:
  DefaultIterator(Elements elements, const Json*) : elements_(std::move(elements)) {}

  std::optional<NextConfig> Next() override {
    if (at_ == elements_.count) return std::nullopt;
    const int64_t i = at_++;
    return NextConfig{absl::StrCat(i), elements_.read(i)};
  }

 private:
  const Elements elements_;
  int64_t at_ = 0;
};

class RangeIterator : public ConfigIterator {
 public:
  RangeIterator(Elements elements, const Json*) : elements_(std::move(elements)) {}

  std::optional<NextConfig> Next() override {
    if (expansion_ != nullptr && expansion_->Advance()) return Current();
    expansion_ = nullptr;
    if (next_ == elements_.count) return std::nullopt;
    const int64_t element = next_++;
    combination_ = 0;
    absl::StatusOr<Json> read = elements_.read(element);
    absl::StatusOr<std::unique_ptr<Expansion>> expansion =
        read.ok() ? Expansion::Of(*std::move(read)) : read.status();
    if (!expansion.ok()) return NextConfig{absl::StrCat(element, "_0"), expansion.status()};
    expansion_ = *std::move(expansion);
    return Current();
  }

 protected:
  // Makes the configuration of one combination.
  virtual absl::StatusOr<Json> Made(const Json& config) const { return config; }

 private:
  NextConfig Current() {
    return {absl::StrCat(next_ - 1, "_", combination_++), Made(expansion_->Current())};
  }

  const Elements elements_;
  std::unique_ptr<Expansion> expansion_;  // of the element before next_
  int64_t next_ = 0;
  int64_t combination_ = 0;
};

class DummyIterator final : public ConfigIterator {
 public:
  DummyIterator(const Elements&, const Json*) {}

  std::optional<NextConfig> Next() override {
    if (std::exchange(done_, true)) return std::nullopt;
    return NextConfig{"0", Json{{"args", Json::array()}, {"kwargs", Json::object()}}};
  }

 private:
  bool done_ = false;
};

// An embedding's inputs: the build's tables, rows, dimension, then batch size and pooling factor,
// then whether the build is weighted, and its precision.
class EmbeddingInputIterator final : public RangeIterator {
 public:
  EmbeddingInputIterator(Elements elements, const Json* build)
      : RangeIterator(std::move(elements), nullptr) {
    if (build != nullptr) build_ = *build;
  }

 private:
  absl::StatusOr<Json> Made(const Json& config) const override {
    constexpr size_t kBuildArguments = 6, kInputArguments = 2;
    const auto args_of = [](const Json& json) {
      return json.is_object() && json.contains("args") ? json["args"] : Json();
    };
    const Json build = args_of(build_), input = args_of(config);
    if (!build.is_array() || build.size() < kBuildArguments) {
      return absl::InvalidArgumentError(
          "the build of an embedding has the arguments num_tables, rows, dim, pooling, weighted, "
          "weights_precision");
    }
    if (!input.is_array() || input.size() < kInputArguments) {
      return absl::InvalidArgumentError(
          "/args: the input of an embedding has the arguments batch_size and pooling_factor");
    }
    const Json args = {build[0], build[1], build[2], input[0], input[1], build[4], build[5]};
    return Json{{"args", args}, {"kwargs", Json::object()}};
  }

  Json build_;
};

using Maker = std::unique_ptr<ConfigIterator> (*)(const Elements&, const Json*);

template <typename Iterator>
std::unique_ptr<ConfigIterator> Make(const Elements& elements, const Json* build) {
  return std::make_unique<Iterator>(elements, build);
}

// PARAM's names; for the embedding's the older ones too, which published files have.
const std::map<std::string_view, Maker>& Makers() {
  static const auto* const makers = new std::map<std::string_view, Maker>{
      {"DefaultConfigIterator", Make<DefaultIterator>},
      {"RangeConfigIterator", Make<RangeIterator>},
      {"DummyConfigIterator", Make<DummyIterator>},
      {"SplitTableBatchedEmbeddingBagsCodegenBuildIterator", Make<RangeIterator>},
      {"SplitTableBatchedEmbeddingBagsCodegenInputIterator", Make<EmbeddingInputIterator>},
      {"SplitTableBatchedEmbeddingBuildIterator", Make<RangeIterator>},
      {"SplitTableBatchedEmbeddingInputIterator", Make<EmbeddingInputIterator>}};
  return *makers;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ConfigIterator>> MakeConfigIterator(std::string_view name,
                                                                   const Elements& elements,
                                                                   const Json* build) {
  const auto found = Makers().find(name.empty() ? "DefaultConfigIterator" : name);
  if (found != Makers().end()) return found->second(elements, build);
  return absl::InvalidArgumentError(absl::StrCat(
      "there is no iterator ", base::Quoted(name), "; there are ",
      absl::StrJoin(Makers(), ", ",
                    [](std::string* out, const auto& entry) { out->append(entry.first); })));
}

}  // namespace assay::param
