#include "tools/suite/cluster/kubernetes.h"

#include <optional>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/file_bytes.h"
#include "nlohmann/json.hpp"

namespace assay::suite {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kAgain = 2;  // how often a task is run again whose node or pod failed

// A name as Kubernetes wants it: "assay-20260101t000000z-0123456789abcdef-0".
std::string JobName(const TaskFolder& folder, const TaskRange& range) {
  return absl::AsciiStrToLower(absl::StrCat(folder.JobName(), "-", range.first));
}

Json FromField(const std::string& name, const std::string& path) {
  return {{"name", name}, {"valueFrom", {{"fieldRef", {{"fieldPath", path}}}}}};
}

class Kubernetes final : public Engine {
 public:
  explicit Kubernetes(KubernetesOptions options) : options_(std::move(options)) {}

  std::string Name() const override { return "kubernetes"; }
  absl::Status Check() const override { return absl::OkStatus(); }

  absl::StatusOr<std::string> Submit(const TaskFolder& folder, const std::string& program,
                                     const TaskRange& range) override {
    const std::string path = folder.Path(absl::StrCat("job-", range.first, ".json"));
    const absl::Status written =
        tensor_files::WriteFileAtomically(path, JobManifest(options_, folder, program, range));
    if (!written.ok()) return written;
    return absl::StrCat("manifest  ", range.count, " tasks: kubectl apply -f ", path);
  }

  absl::StatusOr<std::optional<Queue>> Poll(const TaskFolder& /*folder*/) override {
    return std::optional<Queue>();
  }
  absl::Status Cancel(const TaskFolder& /*folder*/, bool /*running_too*/) override {
    return absl::OkStatus();
  }
  std::string Fault(const std::string& /*node*/) const override { return ""; }

 private:
  const KubernetesOptions options_;
};

}  // namespace

std::unique_ptr<Engine> MakeKubernetes(const KubernetesOptions& options) {
  return std::make_unique<Kubernetes>(options);
}

std::string JobManifest(const KubernetesOptions& options, const TaskFolder& folder,
                        const std::string& program, const TaskRange& range) {
  const std::string name = JobName(folder, range);
  // The index of a pod begins at 0 in each job.
  const std::string script = absl::StrCat(
      "exec \"$0\" --task=\"$1\" --task-index=$(($2 + JOB_COMPLETION_INDEX)) "
      "--node=\"$NODE\" --attempt=$((${FAILURES:-0} + 1)) --job=\"$POD\"");
  // Equal requests and limits, of whole CPUs, make the pod Guaranteed: the static CPU manager then
  // gives it CPUs of its own.
  Json resources = {{"cpu", "2"}, {"memory", "8Gi"}};
  if (range.device == CUDA) resources["nvidia.com/gpu"] = 1;
  const Json apart = {{"requiredDuringSchedulingIgnoredDuringExecution",
                       {{{"labelSelector", {{"matchLabels", {{"app", "assay"}}}}},
                         {"topologyKey", "kubernetes.io/hostname"}}}}};
  const Json container = {
      {"name", "task"},
      {"image", options.image},
      {"command", {"/bin/sh", "-c", script, program, folder.path(), absl::StrCat(range.first)}},
      {"env",
       {FromField("NODE", "spec.nodeName"), FromField("POD", "metadata.name"),
        FromField("FAILURES",
                  "metadata.annotations['batch.kubernetes.io/job-index-failure-count']")}},
      {"resources", {{"requests", resources}, {"limits", resources}}},
      {"volumeMounts", {{{"name", "results"}, {"mountPath", folder.results()}}}}};
  const Json pod = {
      {"metadata", {{"labels", {{"app", "assay"}}}}},
      {"spec",
       {{"restartPolicy", "Never"},
        {"affinity", {{"podAntiAffinity", apart}}},
        {"containers", {container}},
        {"volumes",
         {{{"name", "results"}, {"persistentVolumeClaim", {{"claimName", options.claim}}}}}}}}};
  const Json job = {{"apiVersion", "batch/v1"},
                    {"kind", "Job"},
                    {"metadata", {{"name", name}, {"labels", {{"app", "assay"}}}}},
                    {"spec",
                     {{"completionMode", "Indexed"},
                      {"completions", range.count},
                      {"parallelism", range.count},
                      {"backoffLimitPerIndex", kAgain},
                      {"maxFailedIndexes", range.count},
                      {"template", pod}}}};
  return job.dump(2) + "\n";
}

}  // namespace assay::suite
