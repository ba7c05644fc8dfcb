#ifndef ASSAY_MODELS_LAYERS_DETECTION_PROPOSAL_NETWORK_H_
#define ASSAY_MODELS_LAYERS_DETECTION_PROPOSAL_NETWORK_H_

// ---------------------------------------------------------------------------------------------
// models/layers/detection/proposal_network.h: the first stage of a detector, which says where objects may be, as torchvision
// builds it (torchvision/models/detection/rpn.py), names included, and its two losses.
//
// Not for: what the objects are (regions.h, region_targets.h).
//
// Example:
//
//     ProposalNetwork rpn{*this, "rpn.head", {.channels = 256, .pyramid = true}};
//     std::vector<AnchorNumbers> numbers = rpn.Forward(levels);
//     at::Tensor rows = rpn.Proposals(numbers, {800, 800}, 1000);      // rows of models/detector.h
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "models/layers/core/conv2d.h"
#include "models/layers/core/layer.h"
#include "models/layers/detection/anchor_boxes.h"

namespace assay::models {

struct ProposalNetworkOptions {
  int64_t channels;
  // Whether each level has anchors of its own size. Otherwise the one map has those of all sizes.
  bool pyramid;
};

// The numbers of a level's anchors: scores (N, anchors), and codes (N, anchors, 4). The level has rows * columns cells.
struct AnchorNumbers {
  at::Tensor scores, codes;
  int64_t rows, columns;
};

// Scores (N, anchors of all levels) and codes (N, anchors of all levels, 4).
std::pair<at::Tensor, at::Tensor> OfAllLevels(const std::vector<AnchorNumbers>& levels);

class ProposalNetwork final : public Layer {
 public:
  ProposalNetwork(Layer& parent, std::string name, const ProposalNetworkOptions& options);

  // Levels (N, channels, H, W), the finest first.
  std::vector<AnchorNumbers> Forward(const std::vector<at::Tensor>& levels);

  // The best boxes of each image, `most` at most: rows of models/detector.h, (N, most, 6), whose labels are levels. In training
  // each level has more candidates. The boxes have no gradient.
  at::Tensor Proposals(const std::vector<AnchorNumbers>& levels, const ImageSize& image,
                       int64_t most) const;

  // torchvision's loss_objectness and loss_rpn_box_reg: scalars, means over the anchors that count (balanced_sample.h).
  // Objects: boxes (N, objects, 4), in the dtype of InFloats(scores).
  std::vector<at::Tensor> Losses(const std::vector<AnchorNumbers>& levels, const ImageSize& image,
                                 const at::Tensor& objects) const;

 private:
  // (anchors of the level, 4).
  at::Tensor Anchors(size_t level, const AnchorNumbers& numbers, const ImageSize& image) const;

  bool pyramid_;
  Conv2d conv_;
  Conv2d scores_;
  Conv2d codes_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_LAYERS_DETECTION_PROPOSAL_NETWORK_H_
