#ifndef ASSAY_MODELS_CHOICES_H_
#define ASSAY_MODELS_CHOICES_H_

// ---------------------------------------------------------------------------------------------
// models/choices.h: the choices that a model makes by its own numbers, such as the experts of a token.
//
// A choice is no smooth function. Where two scores are nearly equal, rounding decides, and all that follows is
// that of another expert. So a caller may watch the choices of a call, and may give another call the same ones:
// then both take the same way, and their numbers can be compared (runner/verdict/same_choices.h).
//
// Not for: choices whose places are an output, such as tokens and boxes.
//
// Example:
//
//     const auto [best, experts] = Chosen(scores, 2);       // in a model: at::topk
//     WatchedChoices first;                                 // outside of it
//     model.Forward(inputs);
//     WatchedChoices second(first.all());                   // the first is no longer watched while this one lives
//     in_float64.Forward(inputs);                           // by the same experts
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace assay::models {

// One call of Chosen() saw these scores and took these places: scores (n, candidates), and places int64 (n, count).
struct Choice {
  at::Tensor scores;
  at::Tensor places;
};

// The `count` best of each row of `scores`, the best first: their scores and their places. If choices are given to
// this thread, then the next one's places, and their scores.
std::pair<at::Tensor, at::Tensor> Chosen(const at::Tensor& scores, int64_t count);

// Keeps the choices of this thread while it lives.
class WatchedChoices {
 public:
  WatchedChoices();
  // Calls take the places of `given`, one after another. A call too many, or of another size, throws c10::ValueError.
  explicit WatchedChoices(std::vector<Choice> given);
  ~WatchedChoices();
  WatchedChoices(const WatchedChoices&) = delete;
  WatchedChoices& operator=(const WatchedChoices&) = delete;

  const std::vector<Choice>& all() const { return all_; }

 private:
  friend std::pair<at::Tensor, at::Tensor> Chosen(const at::Tensor& scores, int64_t count);

  at::Tensor NextPlaces(const at::Tensor& scores, int64_t count) const;

  const bool gives_;
  const std::vector<Choice> given_;
  std::vector<Choice> all_;
  WatchedChoices* const outer_;
};

}  // namespace assay::models

#endif  // ASSAY_MODELS_CHOICES_H_
