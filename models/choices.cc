#include "models/choices.h"

#include <ATen/ops/topk.h>
#include <c10/util/Exception.h>

#include <tuple>

namespace assay::models {
namespace {

thread_local WatchedChoices* watching = nullptr;

}  // namespace

WatchedChoices::WatchedChoices() : gives_(false), outer_(watching) { watching = this; }

WatchedChoices::WatchedChoices(std::vector<Choice> given)
    : gives_(true), given_(std::move(given)), outer_(watching) {
  watching = this;
}

WatchedChoices::~WatchedChoices() { watching = outer_; }

at::Tensor WatchedChoices::NextPlaces(const at::Tensor& scores, int64_t count) const {
  TORCH_CHECK_VALUE(all_.size() < given_.size(), "a call makes more than the ", given_.size(),
                    " choices that it was given");
  const Choice& given = given_[all_.size()];
  TORCH_CHECK_VALUE(given.scores.sizes() == scores.sizes() && given.places.size(1) == count,
                    "a call chooses ", count, " of ", scores.sizes(),
                    " scores; the given choice is ", given.places.size(1), " of ",
                    given.scores.sizes());
  return given.places.to(scores.device());
}

std::pair<at::Tensor, at::Tensor> Chosen(const at::Tensor& scores, int64_t count) {
  at::Tensor best, places;
  if (watching != nullptr && watching->gives_) {
    places = watching->NextPlaces(scores, count);
    best = scores.gather(1, places);
  } else {
    std::tie(best, places) = at::topk(scores, count);
  }
  if (watching != nullptr) watching->all_.push_back({scores, places});
  return {best, places};
}

}  // namespace assay::models
