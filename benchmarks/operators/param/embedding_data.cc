#include "benchmarks/operators/param/embedding_data.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <caffe2/serialize/inline_container.h>
#include <torch/csrc/jit/serialization/import_read.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "absl/status/status.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/numerics/seeded_tensor.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "benchmarks/operators/param/arguments.h"
#include "benchmarks/operators/param/data_generator.h"
#include "benchmarks/operators/param/error_class.h"
#include "defs/case/philox.h"
#include "defs/proto/suite.pb.h"

namespace assay::param {
namespace {

constexpr size_t kPoolingArgument = 4;

absl::Status BadRequest(std::string_view what) {
  return Classed("INVALID_CONFIG", absl::InvalidArgumentError(what));
}

// One whole number, or a list of them: one for each table.
absl::StatusOr<std::vector<int64_t>> Numbers(const Argument& argument, const char* name,
                                             int64_t least) {
  std::vector<int64_t> numbers;
  const auto add = [&](const Argument& item) {
    const auto* number = std::get_if<int64_t>(&item.value);
    if (number != nullptr && *number >= least) numbers.push_back(*number);
    return number != nullptr && *number >= least;
  };
  const auto* list = std::get_if<ListArgument>(&argument.value);
  const bool good =
      list == nullptr ? add(argument) : std::all_of(list->items.begin(), list->items.end(), add);
  if (good) return numbers;
  return BadRequest(absl::StrCat(name, " is a whole number of at least ", least,
                                 ", or a list of such for several tables"));
}

struct Request {
  int64_t tables = 0, batch = 0;
  std::vector<int64_t> rows, pooling;  // for each table
  bool weighted = false;
};

absl::StatusOr<Request> ReadRequest(const Arguments& arguments) {
  constexpr size_t kArguments = 7;
  const std::vector<Argument>& args = arguments.positional;
  if (args.size() != kArguments) {
    return BadRequest(absl::StrCat(
        "an embedding's input has 7 arguments: num_tables, rows, dim, batch_size, pooling_factor, "
        "weighted, weights_precision; given are ",
        args.size()));
  }
  const auto tables = Numbers(args[0], "num_tables", 1), rows = Numbers(args[1], "rows", 1),
             batch = Numbers(args[3], "batch_size", 1),
             pooling = Numbers(args[kPoolingArgument], "pooling_factor", 1);
  for (const auto* numbers : {&tables, &rows, &batch, &pooling}) {
    if (!numbers->ok()) return numbers->status();
  }
  const auto* weighted = std::get_if<bool>(&args[5].value);
  if (tables->size() != 1 || batch->size() != 1 || weighted == nullptr)
    return BadRequest("num_tables and batch_size are one number each, weighted is true or false");
  Request request = {.tables = (*tables)[0],
                     .batch = (*batch)[0],
                     .rows = *rows,
                     .pooling = *pooling,
                     .weighted = *weighted};
  constexpr int64_t kMostIndices = int64_t{1} << 32;
  for (std::vector<int64_t>* numbers : {&request.rows, &request.pooling}) {
    if (numbers->size() != static_cast<size_t>(request.tables)) {
      return BadRequest(absl::StrCat("there are ", request.tables, " tables, and ", numbers->size(),
                                     " numbers of rows or pooling factors"));
    }
  }
  for (const int64_t factor : request.pooling) {
    if (factor > kMostIndices / request.batch / request.tables)
      return BadRequest("more than 2^32 indices");
  }
  return request;
}

// Zipf's law on 1, 2, ... by rejection: L. Devroye, Non-Uniform Random Variate Generation,
// Springer 1986, chapter X.6, which is also NumPy's way.
class ZipfLaw {
 public:
  ZipfLaw(double exponent, const std::string& place, uint64_t seed)
      : less_(exponent - 1), b_(std::pow(2.0, less_)), stream_(seed, place) {}

  int64_t Draw() {
    constexpr double kLargest = 9e18;
    while (true) {
      const double u = 1 - Share(), v = Share();
      const double x = std::floor(std::pow(u, -1 / less_));
      if (!(x >= 1 && x < kLargest)) continue;
      const double t = std::pow(1 + 1 / x, less_);
      if (v * x * (t - 1) / (b_ - 1) <= t / b_) return static_cast<int64_t>(x);
    }
  }

 private:
  double Share() { return stream_.Word(next_++) * 0x1p-32; }

  const double less_, b_;
  const PhiloxStream stream_;
  uint64_t next_ = 0;
};

const char* Variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

absl::StatusOr<double> Alpha() {
  const char* const text = Variable("split_embedding_distribution");
  if (text == nullptr) return 1;
  double alpha = 0;
  if (absl::SimpleAtod(text, &alpha) && alpha >= 0 && std::isfinite(alpha)) return alpha;
  return BadRequest(
      absl::StrCat("the environment variable split_embedding_distribution is a number "
                   "that is not negative, not ",
                   base::Quoted(text)));
}

// A file's name, from the configuration or else from the environment.
std::optional<std::string> FileOf(const Json& config, const char* kind) {
  const Json& pooling = config["args"][kPoolingArgument];
  const auto found = pooling.find(absl::StrCat(kind, "_tensor"));
  if (found != pooling.end() && found->is_string()) return found->get<std::string>();
  const char* const path = Variable(absl::StrCat("split_embedding_", kind).c_str());
  return path == nullptr ? std::nullopt : std::optional<std::string>(path);
}

absl::StatusOr<at::Tensor> LoadTensor(const std::string& path) {
  at::Tensor tensor;
  const absl::Status loaded = base::CatchTorch(path, [&] {
    caffe2::serialize::PyTorchStreamReader reader(path);
    const c10::IValue value = torch::jit::readArchiveAndTensors(
        "data", "", "", std::nullopt, std::nullopt, c10::Device(c10::kCPU), reader);
    TORCH_CHECK(value.isTensor(), "holds no tensor");
    tensor = value.toTensor();
  });
  if (loaded.ok()) return tensor;
  return BadRequest(
      absl::StrCat("cannot read a tensor that torch.save wrote from ", loaded.message()));
}

at::Tensor ToTensor(std::vector<int64_t> values) {
  at::Tensor tensor = at::empty({static_cast<int64_t>(values.size())}, at::kLong);
  std::copy(values.begin(), values.end(), tensor.mutable_data_ptr<int64_t>());
  return tensor;
}

struct MadeBags {
  at::Tensor indices, offsets, weights;  // weights undefined where there are none
};

absl::StatusOr<MadeBags> Make(const Request& request, const GeneratorOptions& options) {
  const absl::StatusOr<double> alpha = Alpha();
  if (!alpha.ok()) return alpha.status();
  std::vector<int64_t> indices, offsets = {0};
  for (int64_t table = 0; table < request.tables; ++table) {
    const auto t = static_cast<size_t>(table);
    const std::vector<int64_t> own = EmbeddingIndices(
        *alpha, request.batch * request.pooling[t], request.pooling[t], request.rows[t],
        absl::StrCat(options.place, "/indices/", table), options.seed);
    indices.insert(indices.end(), own.begin(), own.end());
    for (int64_t bag = 0; bag < request.batch; ++bag)
      offsets.push_back(offsets.back() + request.pooling[t]);
  }
  MadeBags bags;
  if (request.weighted) {
    TensorSpec spec;
    spec.set_name(options.place + "/weights");
    spec.set_dtype(FP32);
    spec.add_shape(static_cast<int64_t>(indices.size()));
    spec.mutable_distribution()->mutable_normal();
    absl::StatusOr<at::Tensor> weights = numerics::MakeInput(spec, FP32, options.seed);
    if (!weights.ok()) return weights.status();
    bags.weights = *std::move(weights);
  }
  bags.indices = ToTensor(std::move(indices));
  bags.offsets = ToTensor(std::move(offsets));
  return bags;
}

}  // namespace

std::vector<int64_t> EmbeddingIndices(double alpha, int64_t count, int64_t pooling, int64_t rows,
                                      const std::string& place, uint64_t seed) {
  constexpr double kArange = 0.5, kUniform = 1;
  std::vector<int64_t> indices(static_cast<size_t>(count));
  const PhiloxStream stream(seed, place);
  if (alpha > kUniform) {
    ZipfLaw zipf(alpha, place, seed);
    for (int64_t& index : indices) index = zipf.Draw() % rows;
    return indices;
  }
  for (int64_t i = 0; i < count; ++i) {
    indices[static_cast<size_t>(i)] =
        alpha == 0 ? i % pooling % rows
        : alpha <= kArange
            ? i % rows
            : static_cast<int64_t>(PhiloxStream::Integer(stream.Word(static_cast<uint64_t>(i)),
                                                         static_cast<uint64_t>(rows)));
  }
  return indices;
}

absl::StatusOr<execution::OperatorArguments> GenerateEmbedding(const Json& config,
                                                               const GeneratorOptions& options) {
  const absl::StatusOr<Arguments> arguments = ReadArguments(config);
  if (!arguments.ok()) return arguments.status();
  const absl::StatusOr<Request> request = ReadRequest(*arguments);
  if (!request.ok()) return request.status();
  const std::optional<std::string> indices = FileOf(config, "indices"),
                                   offsets = FileOf(config, "offsets"),
                                   weights = FileOf(config, "weights");
  absl::StatusOr<MadeBags> bags;
  if (indices && offsets) {
    bags.emplace();
    for (const auto& [path, tensor] :
         {std::pair(indices, &bags->indices), std::pair(offsets, &bags->offsets),
          std::pair(weights, &bags->weights)}) {
      if (!path || (tensor == &bags->weights && !request->weighted)) continue;
      absl::StatusOr<at::Tensor> loaded = LoadTensor(*path);
      if (!loaded.ok()) return loaded.status();
      *tensor = *std::move(loaded);
    }
  } else {
    bags = Make(*request, options);
    if (!bags.ok()) return bags.status();
  }
  execution::OperatorArguments values;
  for (const at::Tensor& tensor : {bags->indices, bags->offsets, bags->weights}) {
    values.positional.push_back(tensor.defined() ? c10::IValue(tensor.to(options.device))
                                                 : c10::IValue());
  }
  return values;
}

}  // namespace assay::param
