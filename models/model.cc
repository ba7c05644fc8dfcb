#include "models/model.h"

namespace assay::models {

absl::StatusOr<at::Tensor> Model::Loss(at::ArrayRef<at::Tensor>, at::ArrayRef<at::Tensor>) {
  return absl::UnimplementedError("this model defines no loss, so it cannot be trained");
}

absl::StatusOr<std::unique_ptr<Cache>> Model::NewCache(int64_t, int64_t) {
  return absl::UnimplementedError("this model has no cache, so it cannot generate");
}

absl::StatusOr<std::vector<at::Tensor>> Model::Step(at::ArrayRef<at::Tensor>, Cache&) {
  return absl::UnimplementedError("this model has no cache, so it cannot generate");
}

absl::Status Model::LoadFile(const std::string& path) {
  return absl::UnimplementedError("this model is code, it cannot be loaded from " + path);
}

}  // namespace assay::models
