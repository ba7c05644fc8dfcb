#ifndef ASSAY_BENCHMARKS_OPERATORS_PARAM_CHILD_RUN_H_
#define ASSAY_BENCHMARKS_OPERATORS_PARAM_CHILD_RUN_H_

// ---------------------------------------------------------------------------------------------
// child_run.h: the process that does the work: it reads the file, and builds, feeds and measures
// one item after the other. If it dies of an item, its parent starts another one. Lines and records
// are appended as soon as they are known. Under a profiling tool it calls a batch of items in
// ranges and measures nothing.
//
// Not for: handling an item that this process died of (param.cc).
//
// Example:
//   return ChildRun(settings).Execute();   // exit code
// ---------------------------------------------------------------------------------------------

#include <ATen/core/Tensor.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/processes/series.h"
#include "benchmarks/harness/sampling/device/device.h"
#include "benchmarks/operators/param/measure.h"
#include "benchmarks/operators/param/operators.h"
#include "benchmarks/operators/param/output.h"
#include "benchmarks/operators/param/run_items.h"
#include "benchmarks/operators/param/settings.h"
#include "defs/proto/record.pb.h"

namespace assay::param {

class ChildRun {
 public:
  explicit ChildRun(Settings settings) : settings_(std::move(settings)) {}

  int Execute();

 private:
  absl::Status OpenDevice();
  absl::Status RunAll(processes::Journal& journal);
  absl::Status RunBatch();
  // Whether this process can run nothing more on the device: a kernel that reads a wrong address
  // ends CUDA's context for good. An operator that refuses its arguments does not.
  bool SpentTheDevice();
  absl::StatusOr<BoundCall> Bind(const RunItem& item);
  absl::StatusOr<MeasuredCall> Measure(const RunItem& item, Profile& profile);
  absl::StatusOr<Profile> TakeProfile(const RunItem& item, const BoundCall& call);
  absl::StatusOr<Operator> Build(const RunItem& item) const;
  absl::Status Keep(const RunItem& item, const absl::StatusOr<MeasuredCall>& result,
                    const Profile& profile, absl::Time start);
  absl::Status AddFigures(const MeasuredCall& measured, Record& record);
  const std::vector<Peak>& PeaksOf(Dtype dtype);
  void Fail(const absl::Status& status);
  absl::Status Write(const Json& line) const;

  const Settings settings_;
  at::Device torch_device_ = at::kCPU;
  std::unique_ptr<sampling::Device> device_;
  double memory_bytes_ = 0;
  Environment environment_;  // for records
  // The last item's operator: inputs of one build share it.
  std::optional<absl::StatusOr<Operator>> operator_;
  const OperatorEntry* built_for_ = nullptr;
  std::string built_id_;
  Dtype dtype_ = DTYPE_UNSPECIFIED;  // dtype of the first floating-point input of the last item
  std::string note_;                 // of the last item's call
  std::map<Dtype, std::vector<Peak>> peaks_;
  bool spent_ = false;  // the last item cost the device
  int worst_code_ = 0;
};

}  // namespace assay::param

#endif  // ASSAY_BENCHMARKS_OPERATORS_PARAM_CHILD_RUN_H_
