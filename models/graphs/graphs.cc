// Graph networks as torch_geometric builds them (torch_geometric/nn/models/basic_gnn.py): GCN
// (arXiv:1609.02907), GraphSAGE (1706.02216), GIN (1810.00826), EdgeCNN (1801.07829) and GAT
// (1710.10903). A layer makes a message for each edge, and each node adds the messages of its edges
// in their order (EdgeCNN: the largest one). Several graphs are one graph without edges between
// them. Tensor names are those of torch_geometric.

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/leaky_relu.h>
#include <ATen/ops/nonzero.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "models/layers/core/layered_model.h"
#include "models/layers/core/linear.h"
#include "models/layers/core/parameter_checks.h"
#include "models/layers/core/recipes.h"
#include "models/parameters.h"
#include "models/registry.h"
#include "models/trainable.h"

namespace assay::models {
namespace {

// Edge e goes from the node source[e] to the node target[e], both int64 (E).
struct Graph {
  at::Tensor source;
  at::Tensor target;
  int64_t nodes;
};

struct ConvolutionOptions {
  int64_t in;
  int64_t out;
  int64_t heads;     // GAT's
  double edges;      // of a node, on average
  bool joins_heads;  // GAT: the heads' features stand side by side; else their mean is taken
};

// (E) -> (E, ...) of the messages' shape, a view.
at::Tensor ForEachFeature(const at::Tensor& index, const at::Tensor& messages) {
  std::vector<int64_t> shape(static_cast<size_t>(messages.dim()), 1);
  shape[0] = -1;
  return index.view(shape).expand_as(messages);
}

// Messages (E, ...) -> for each node the sum of those that it gets, (nodes, ...): 0 without any.
at::Tensor Sums(const Graph& graph, const at::Tensor& messages) {
  std::vector<int64_t> shape = messages.sizes().vec();
  shape[0] = graph.nodes;
  return at::zeros(shape, messages.options())
      .scatter_add_(0, ForEachFeature(graph.target, messages), messages);
}

// Likewise, the largest one: 0 without any.
at::Tensor Largest(const Graph& graph, const at::Tensor& messages) {
  std::vector<int64_t> shape = messages.sizes().vec();
  shape[0] = graph.nodes;
  return at::zeros(shape, messages.options())
      .scatter_reduce_(0, ForEachFeature(graph.target, messages), messages, "amax",
                       /*include_self=*/false);
}

// The graph with one edge from each node to itself, whether or not it had some; they are the last.
Graph WithSelfLoops(const Graph& graph) {
  const at::Tensor kept = at::nonzero(graph.source.ne(graph.target)).squeeze(1);
  const at::Tensor loops = at::arange(graph.nodes, graph.source.options());
  return {at::concat({graph.source.index_select(0, kept), loops}),
          at::concat({graph.target.index_select(0, kept), loops}), graph.nodes};
}

class Convolution : public Layer {
 public:
  using Layer::Layer;
  // Features of nodes (nodes, in) -> (nodes, out).
  virtual at::Tensor Forward(const at::Tensor& x, const Graph& graph) const = 0;
};

// The gain makes up for what a ReLU and the mean of unlike messages take.
class GcnConv final : public Convolution {
 public:
  GcnConv(Layer& parent, std::string name, const ConvolutionOptions& options)
      : Convolution(parent, std::move(name)),
        lin_(*this, "lin",
             {.in = options.in, .out = options.out, .bias = false, .gain = std::sqrt(2.0)}) {
    AddParameter("bias", {options.out}, BiasInit(), bias_);
  }

  at::Tensor Forward(const at::Tensor& x, const Graph& graph) const override {
    const Graph loops = WithSelfLoops(graph);
    const at::Tensor degrees = Sums(loops, at::ones(loops.target.sizes(), x.options()));
    const at::Tensor scales = degrees.pow(-0.5);
    const at::Tensor weights =
        scales.index_select(0, loops.source).mul(scales.index_select(0, loops.target));
    const at::Tensor messages =
        weights.unsqueeze(1).mul(lin_.Forward(x).index_select(0, loops.source));
    return Sums(loops, messages).add(bias_);
  }

 private:
  at::Tensor bias_;  // (out)
  Linear lin_;
};

class SageConv final : public Convolution {
 public:
  SageConv(Layer& parent, std::string name, const ConvolutionOptions& options)
      : Convolution(parent, std::move(name)),
        lin_l_(*this, "lin_l", {.in = options.in, .out = options.out}),
        lin_r_(*this, "lin_r", {.in = options.in, .out = options.out, .bias = false}) {}

  at::Tensor Forward(const at::Tensor& x, const Graph& graph) const override {
    const at::Tensor degrees =
        Sums(graph, at::ones(graph.target.sizes(), x.options())).clamp_min(1);
    const at::Tensor sums = Sums(graph, x.index_select(0, graph.source));
    return lin_l_.Forward(sums.div(degrees.unsqueeze(1))).add(lin_r_.Forward(x));
  }

 private:
  Linear lin_l_;
  Linear lin_r_;
};

// torch_geometric.nn.MLP of two layers.
class Mlp final : public Layer {
 public:
  Mlp(Layer& parent, std::string name, int64_t in, int64_t out, double gain)
      : Layer(parent, std::move(name)),
        first_(*this, "lins.0", {.in = in, .out = out, .gain = gain}),
        second_(*this, "lins.1", {.in = out, .out = out}) {}

  at::Tensor Forward(const at::Tensor& x) const {
    return second_.Forward(first_.Forward(x).relu_());
  }

 private:
  Linear first_;
  Linear second_;
};

// Messages are added up without a weight, for which the gain makes up.
class GinConv final : public Convolution {
 public:
  GinConv(Layer& parent, std::string name, const ConvolutionOptions& options)
      : Convolution(parent, std::move(name)),
        nn_(*this, "nn", options.in, options.out, 1 / std::sqrt(1 + options.edges)) {
    AddBuffer("eps", {1}, BiasInit(), eps_);
  }

  at::Tensor Forward(const at::Tensor& x, const Graph& graph) const override {
    return nn_.Forward(Sums(graph, x.index_select(0, graph.source)).add(eps_.add(1).mul(x)));
  }

 private:
  at::Tensor eps_;  // (1)
  Mlp nn_;
};

class EdgeConv final : public Convolution {
 public:
  EdgeConv(Layer& parent, std::string name, const ConvolutionOptions& options)
      : Convolution(parent, std::move(name)), nn_(*this, "nn", 2 * options.in, options.out, 1) {}

  at::Tensor Forward(const at::Tensor& x, const Graph& graph) const override {
    const at::Tensor to = x.index_select(0, graph.target);
    const at::Tensor from = x.index_select(0, graph.source);
    return Largest(graph, nn_.Forward(at::concat({to, from.sub(to)}, -1)));
  }

 private:
  Mlp nn_;
};

class GatConv final : public Convolution {
 public:
  GatConv(Layer& parent, std::string name, const ConvolutionOptions& options)
      : Convolution(parent, std::move(name)),
        heads_(options.heads),
        features_(options.joins_heads ? options.out / options.heads : options.out),
        joins_heads_(options.joins_heads),
        lin_(*this, "lin",
             {.in = options.in, .out = heads_ * features_, .bias = false, .gain = std::sqrt(2.0)}) {
    AddParameter("att_src", {1, heads_, features_}, WeightInit(features_), att_src_);
    AddParameter("att_dst", {1, heads_, features_}, WeightInit(features_), att_dst_);
    AddParameter("bias", {options.out}, BiasInit(), bias_);
  }

  at::Tensor Forward(const at::Tensor& x, const Graph& graph) const override {
    const at::Tensor values = lin_.Forward(x).view({-1, heads_, features_});
    const at::Tensor of_source = values.mul(att_src_).sum(-1);
    const at::Tensor of_target = values.mul(att_dst_).sum(-1);
    const Graph loops = WithSelfLoops(graph);
    const at::Tensor scores =
        of_source.index_select(0, loops.source).add(of_target.index_select(0, loops.target));
    const at::Tensor weights = Softmax(loops, at::leaky_relu(scores, kNegativeSlope));
    const at::Tensor sums =
        Sums(loops, weights.unsqueeze(-1).mul(values.index_select(0, loops.source)));
    return (joins_heads_ ? sums.flatten(1) : sums.mean(1)).add(bias_);
  }

 private:
  static constexpr double kNegativeSlope = 0.2;

  // Scores (E, heads) -> weights (E, heads), whose sum over the edges of each node is 1.
  static at::Tensor Softmax(const Graph& graph, const at::Tensor& scores) {
    const at::Tensor largest = Largest(graph, scores.detach());
    const at::Tensor powers = scores.sub(largest.index_select(0, graph.target)).exp();
    const at::Tensor sums = Sums(graph, powers).add(1e-16);
    return powers.div(sums.index_select(0, graph.target));
  }

  const int64_t heads_;
  const int64_t features_;  // of a head
  const bool joins_heads_;
  at::Tensor att_src_;  // (1, heads, features)
  at::Tensor att_dst_;
  at::Tensor bias_;  // (out)
  Linear lin_;
};

std::unique_ptr<Convolution> MakeConvolution(const std::string& kind, Layer& parent,
                                             std::string name, const ConvolutionOptions& options) {
  if (kind == "gcn") return std::make_unique<GcnConv>(parent, std::move(name), options);
  if (kind == "sage") return std::make_unique<SageConv>(parent, std::move(name), options);
  if (kind == "gin") return std::make_unique<GinConv>(parent, std::move(name), options);
  if (kind == "edgecnn") return std::make_unique<EdgeConv>(parent, std::move(name), options);
  return std::make_unique<GatConv>(parent, std::move(name), options);
}

class GraphNetwork final : public LayeredModel, public Trainable {
 public:
  explicit GraphNetwork(const Parameters& parameters) {
    const int64_t layers = parameters.Integer("num_layers");
    ConvolutionOptions options = {.in = parameters.Integer("in_channels"),
                                  .out = parameters.Integer("hidden_channels"),
                                  .heads = parameters.Integer("heads"),
                                  .edges = static_cast<double>(parameters.Integer("edges")) /
                                           static_cast<double>(parameters.Integer("nodes")),
                                  .joins_heads = true};
    for (int64_t i = 0; i < layers; ++i) {
      options.joins_heads = i + 1 < layers;
      if (!options.joins_heads) options.out = parameters.Integer("out_channels");
      convolutions_.push_back(MakeConvolution(parameters.Text("convolution"), *this,
                                              absl::StrCat("convs.", i), options));
      options.in = options.out;
    }
  }

  // x (graphs, nodes, in), source and target int64 (graphs, edges), of nodes of their own graph ->
  // logits (graphs, nodes, out).
  std::vector<at::Tensor> Forward(at::ArrayRef<at::Tensor> inputs) override {
    const Graph graph = Joined(inputs[1], inputs[2], inputs[0].size(1));
    at::Tensor x = inputs[0].flatten(0, 1);
    for (size_t i = 0; i < convolutions_.size(); ++i) {
      if (i > 0) x = at::relu(x);  // not in place: the gradient of a maximum needs its result
      x = convolutions_[i]->Forward(x, graph);
    }
    return {x.unflatten(0, inputs[0].sizes().slice(0, 2))};
  }

  // The mean over the nodes; labels int64 (graphs, nodes).
  at::Tensor Loss(at::ArrayRef<at::Tensor> outputs, at::ArrayRef<at::Tensor> targets) override {
    return at::cross_entropy_loss(outputs[0].flatten(0, 1), targets[0].flatten());
  }

 private:
  static Graph Joined(const at::Tensor& source, const at::Tensor& target, int64_t nodes) {
    const int64_t graphs = source.size(0);
    if (graphs == 1) return {source.squeeze(0), target.squeeze(0), nodes};
    const at::Tensor firsts = at::arange(graphs, source.options()).mul(nodes).unsqueeze(1);
    return {source.add(firsts).flatten(), target.add(firsts).flatten(), graphs * nodes};
  }

  std::vector<std::unique_ptr<Convolution>> convolutions_;
};

absl::StatusOr<std::unique_ptr<Model>> MakeGraphNetwork(const Parameters& parameters) {
  const absl::Status status =
      CheckMultiple("graph_network", parameters, "hidden_channels", "heads");
  if (!status.ok()) return status;
  return std::make_unique<GraphNetwork>(parameters);
}

ASSAY_MODEL_IMPLEMENTATION("graph_network", MakeGraphNetwork);
ASSAY_MODEL_IMPLEMENTATION("sorted_graph_network", MakeGraphNetwork);

}  // namespace
}  // namespace assay::models
