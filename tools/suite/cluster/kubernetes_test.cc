#include "tools/suite/cluster/kubernetes.h"

#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "nlohmann/json.hpp"

namespace assay::suite {
namespace {

using nlohmann::json;
using Names = std::set<std::string>;

// The fields that these objects have in Kubernetes' OpenAPI description (api/openapi-spec, release 1.31), typed by hand, of those
// that describe a Job; the API server refuses others (fieldValidation=Strict).
const std::map<std::string, Names>& Fields() {
  static const auto& fields = *new std::map<std::string, Names>{
      {"io.k8s.api.batch.v1.Job", {"apiVersion", "kind", "metadata", "spec", "status"}},
      {"io.k8s.api.batch.v1.JobSpec",
       {"activeDeadlineSeconds", "backoffLimit", "backoffLimitPerIndex", "completionMode",
        "completions", "managedBy", "manualSelector", "maxFailedIndexes", "parallelism",
        "podFailurePolicy", "podReplacementPolicy", "selector", "successPolicy", "suspend",
        "template", "ttlSecondsAfterFinished"}},
      {"io.k8s.api.core.v1.PodTemplateSpec", {"metadata", "spec"}},
      {"io.k8s.api.core.v1.Container",
       {"args",
        "command",
        "env",
        "envFrom",
        "image",
        "imagePullPolicy",
        "lifecycle",
        "livenessProbe",
        "name",
        "ports",
        "readinessProbe",
        "resizePolicy",
        "resources",
        "restartPolicy",
        "securityContext",
        "startupProbe",
        "stdin",
        "stdinOnce",
        "terminationMessagePath",
        "terminationMessagePolicy",
        "tty",
        "volumeDevices",
        "volumeMounts",
        "workingDir"}},
      {"io.k8s.api.core.v1.VolumeMount",
       {"mountPath", "mountPropagation", "name", "readOnly", "recursiveReadOnly", "subPath",
        "subPathExpr"}},
      {"io.k8s.api.core.v1.PodAffinityTerm",
       {"labelSelector", "matchLabelKeys", "mismatchLabelKeys", "namespaceSelector", "namespaces",
        "topologyKey"}}};
  return fields;
}

void ExpectFields(const json& object, const std::string& of) {
  ASSERT_TRUE(object.is_object()) << of << " is " << object;
  for (const auto& [name, value] : object.items()) {
    EXPECT_EQ(Fields().at(of).count(name), 1) << of << " has no " << name;
  }
}

json Manifest(DeviceType device) {
  return json::parse(JobManifest({.image = "debian:12", .claim = "results"},
                                 TaskFolder("/shared/out", "20260101T000000Z-ABC"), "/shared/out/p",
                                 {.first = 3, .count = 7, .device = device}));
}

TEST(JobManifest, HasTheFieldsOfTheApiAlone) {
  const json job = Manifest(CUDA), spec = job["spec"], pod = spec["template"]["spec"];
  ExpectFields(job, "io.k8s.api.batch.v1.Job");
  ExpectFields(spec, "io.k8s.api.batch.v1.JobSpec");
  ExpectFields(spec["template"], "io.k8s.api.core.v1.PodTemplateSpec");
  ASSERT_TRUE(pod["containers"].is_array()) << pod;
  ExpectFields(pod["containers"][0], "io.k8s.api.core.v1.Container");
  ExpectFields(pod["containers"][0]["volumeMounts"][0], "io.k8s.api.core.v1.VolumeMount");
  const json& terms =
      pod["affinity"]["podAntiAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"];
  ASSERT_TRUE(terms.is_array()) << terms;
  ExpectFields(terms[0], "io.k8s.api.core.v1.PodAffinityTerm");
  ASSERT_TRUE(pod["containers"][0]["env"].is_array());
  for (const json& variable : pod["containers"][0]["env"]) {
    EXPECT_TRUE(variable["valueFrom"]["fieldRef"]["fieldPath"].is_string()) << variable;
  }
  ASSERT_TRUE(pod["volumes"].is_array());
  EXPECT_EQ(pod["volumes"][0]["persistentVolumeClaim"]["claimName"], "results");
}

TEST(JobManifest, IsIndexedWithAPodForEachNodeOfItsOwn) {
  const json job = Manifest(CUDA), spec = job["spec"], pod = spec["template"]["spec"];
  EXPECT_EQ(job["metadata"]["name"], "assay-20260101t000000z-abc-3");
  EXPECT_EQ(spec["completionMode"], "Indexed");
  EXPECT_EQ(spec["completions"], 7);
  EXPECT_EQ(spec["backoffLimitPerIndex"], 2);
  EXPECT_EQ(pod["restartPolicy"], "Never") << "backoffLimitPerIndex asks for it";
  const json& resources = pod["containers"][0]["resources"];
  EXPECT_EQ(resources["requests"], resources["limits"]) << "else it is not Guaranteed";
  EXPECT_EQ(resources["limits"]["nvidia.com/gpu"], 1);
  EXPECT_FALSE(
      Manifest(CPU)["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"].contains(
          "nvidia.com/gpu"));
}

}  // namespace
}  // namespace assay::suite
