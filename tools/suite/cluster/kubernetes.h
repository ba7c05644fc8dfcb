// -----------------------------------------------------------------------------
// File: kubernetes.h
// -----------------------------------------------------------------------------
//
// Kubernetes as an engine: writes the manifest of an Indexed Job whose pods run the tasks, one pod
// a node at a time. The user applies it, watches it and deletes it; nothing here talks to a cluster.
//
//   std::unique_ptr<Engine> engine = MakeKubernetes({.image = "debian:12", .claim = "results"});

#ifndef ASSAY_TOOLS_SUITE_CLUSTER_KUBERNETES_H_
#define ASSAY_TOOLS_SUITE_CLUSTER_KUBERNETES_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "tools/suite/cluster/engine.h"
#include "tools/suite/cluster/task_folder.h"

namespace assay::suite {

struct KubernetesOptions {
  std::string image = {};  // of the pods: the system that the programs were built on
  std::string claim =
      {};  // the PersistentVolumeClaim (ReadWriteMany) with the folder of the results
};

std::unique_ptr<Engine> MakeKubernetes(const KubernetesOptions& options);

// The manifest, JSON that `kubectl apply -f` takes. `program` runs a task of the folder.
std::string JobManifest(const KubernetesOptions& options, const TaskFolder& folder,
                        const std::string& program, const TaskRange& range);

}  // namespace assay::suite

#endif  // ASSAY_TOOLS_SUITE_CLUSTER_KUBERNETES_H_
