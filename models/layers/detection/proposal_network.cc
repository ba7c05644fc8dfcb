#include "models/layers/detection/proposal_network.h"

#include <ATen/TensorOperators.h>
#include <ATen/ops/binary_cross_entropy_with_logits.h>
#include <ATen/ops/concat.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/smooth_l1_loss.h>
#include <ATen/ops/stack.h>
#include <c10/core/GradMode.h>

#include <algorithm>
#include <iterator>

#include "models/layers/detection/balanced_sample.h"
#include "models/layers/detection/detection_rows.h"

namespace assay::models {
namespace {

// The sizes of anchors, pixels. Each level of a pyramid has one.
constexpr int64_t kSizes[] = {32, 64, 128, 256, 512};
constexpr int64_t kRatios = 3;
constexpr int64_t kCandidates = 1000, kTrainingCandidates = 2000;  // proposals of a level
constexpr double kLeastProposal = 1e-3;                            // pixels a side
constexpr double kProposalNms = 0.7;
constexpr double kAnchorShowsObject = 0.7,
                 kBackgroundBelow = 0.3;  // overlaps of anchors and objects
constexpr int64_t kCounted = 256;         // anchors of an image in the losses
constexpr double kShareOfAnchors = 0.5;   // that may show an object
// Factors on the weights' recipe. That before a ReLU makes up for what it takes away. With 1 for the codes many boxes
// would have no area.
constexpr double kReluGain = 1.4142135623730951, kCodeGain = 0.2;

Conv2dOptions Convolution(int64_t in, int64_t out, int64_t kernel, double gain) {
  return {
      .in = in, .out = out, .kernel = kernel, .padding = kernel / 2, .bias = true, .gain = gain};
}

int64_t AnchorsOfCell(bool pyramid) {
  return kRatios * (pyramid ? 1 : static_cast<int64_t>(std::size(kSizes)));
}

}  // namespace

std::pair<at::Tensor, at::Tensor> OfAllLevels(const std::vector<AnchorNumbers>& levels) {
  std::vector<at::Tensor> scores, codes;
  for (const AnchorNumbers& level : levels) {
    scores.push_back(level.scores);
    codes.push_back(level.codes);
  }
  return {at::concat(scores, 1), at::concat(codes, 1)};
}

ProposalNetwork::ProposalNetwork(Layer& parent, std::string name,
                                 const ProposalNetworkOptions& options)
    : Layer(parent, std::move(name)),
      pyramid_(options.pyramid),
      conv_(*this, "conv.0.0", Convolution(options.channels, options.channels, 3, kReluGain)),
      scores_(*this, "cls_logits",
              Convolution(options.channels, AnchorsOfCell(options.pyramid), 1, 1)),
      codes_(*this, "bbox_pred",
             Convolution(options.channels, AnchorsOfCell(options.pyramid) * 4, 1, kCodeGain)) {}

std::vector<AnchorNumbers> ProposalNetwork::Forward(const std::vector<at::Tensor>& levels) {
  std::vector<AnchorNumbers> numbers;
  for (const at::Tensor& level : levels) {
    const at::Tensor x = conv_.Forward(level).relu_();
    numbers.push_back({RowsOfCells(scores_.Forward(x), 1).squeeze(2),
                       RowsOfCells(codes_.Forward(x), 4), level.size(2), level.size(3)});
  }
  return numbers;
}

at::Tensor ProposalNetwork::Anchors(size_t level, const AnchorNumbers& numbers,
                                    const ImageSize& image) const {
  CellAnchors cell = {.sizes = {std::begin(kSizes), std::end(kSizes)}};
  if (pyramid_) cell.sizes = {kSizes[level]};
  return GridAnchors(cell, numbers.rows, numbers.columns, image.height / numbers.rows,
                     image.width / numbers.columns, InFloats(numbers.codes));
}

at::Tensor ProposalNetwork::Proposals(const std::vector<AnchorNumbers>& levels,
                                      const ImageSize& image, int64_t most) const {
  const c10::NoGradGuard no_grad;
  std::vector<at::Tensor> images;
  for (int64_t number = 0; number < levels[0].scores.size(0); ++number) {
    std::vector<Candidates> candidates;
    for (size_t i = 0; i < levels.size(); ++i) {
      const at::Tensor codes = InFloats(levels[i].codes[number]);
      const at::Tensor anchors = Anchors(i, levels[i], image);
      const auto [best, places] =
          InFloats(levels[i].scores[number])
              .topk(std::min(training() ? kTrainingCandidates : kCandidates, anchors.size(0)));
      const at::Tensor boxes =
          DecodedBoxes(codes.index_select(0, places), anchors.index_select(0, places));
      candidates.push_back(
          WithSides({ClippedBoxes(boxes, image.height, image.width), best.sigmoid(),
                     at::full_like(places, static_cast<int64_t>(i))},
                    kLeastProposal));
    }
    images.push_back(ChosenDetections(candidates, {.nms_threshold = kProposalNms, .most = most}));
  }
  return at::stack(images);
}

std::vector<at::Tensor> ProposalNetwork::Losses(const std::vector<AnchorNumbers>& levels,
                                                const ImageSize& image,
                                                const at::Tensor& objects) const {
  std::vector<at::Tensor> of_levels;
  for (size_t i = 0; i < levels.size(); ++i) of_levels.push_back(Anchors(i, levels[i], image));
  const auto numbers = OfAllLevels(levels);
  const at::Tensor anchors = at::concat(of_levels), scores = InFloats(numbers.first),
                   codes = InFloats(numbers.second);
  std::vector<at::Tensor> counted_scores, shows, found, wanted;
  for (int64_t i = 0; i < scores.size(0); ++i) {
    const at::Tensor matched = MatchedObjects(objects[i], anchors, kAnchorShowsObject,
                                              kBackgroundBelow, /*each_object=*/true);
    const at::Tensor labels = matched.ge(0).to(at::kLong).masked_fill(matched.eq(kBetween), -1);
    const BalancedSample sample = SampledPlaces(labels, kCounted, kShareOfAnchors);
    const at::Tensor counted = at::concat({sample.objects, sample.background});
    counted_scores.push_back(scores[i].index_select(0, counted));
    shows.push_back(labels.index_select(0, counted));
    found.push_back(codes[i].index_select(0, sample.objects));
    wanted.push_back(
        EncodedBoxes(objects[i].index_select(0, matched.index_select(0, sample.objects)),
                     anchors.index_select(0, sample.objects)));
  }
  const at::Tensor all = at::concat(counted_scores);
  return {at::binary_cross_entropy_with_logits(all, at::concat(shows).to(all.scalar_type())),
          at::smooth_l1_loss(at::concat(found), at::concat(wanted), at::Reduction::Sum, kCodeBeta) /
              all.size(0)};
}

}  // namespace assay::models
