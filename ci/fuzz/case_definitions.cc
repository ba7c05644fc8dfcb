// A case and a family as their authors write them: text -> message -> checks -> what the runner
// reads. Printable problems, or a case whose every number is in range.
#include <cmath>
#include <cstdint>
#include <string>

#include "ci/fuzz/property.h"
#include "defs/case/distributions.h"
#include "defs/compiler/case_resolution.h"
#include "defs/compiler/case_text.h"
#include "defs/proto/suite.pb.h"

namespace assay {
namespace {

using fuzz::Require;

constexpr char kFamily[] = R"pb(
  implementations {
    name: "toy"
    description: "d"
    owner: "o"
    source_url: "u"
    reference: OWN_FLOAT64
    parameters {
      name: "width"
      kind: "integer"
      minimum: 1
      maximum: 2147483647
      default_value { integer: 8 }
    }
    parameters {
      name: "length"
      kind: "integer"
      minimum: 1
      maximum: 512
      suffix: "s"
      default_value { integer: 8 }
    }
    parameters {
      name: "eps"
      kind: "real"
      minimum: 0
      maximum: 1
      default_value { real: 0.5 }
    }
    parameters {
      name: "block"
      kind: "text"
      allowed: "basic"
      default_value { text: "basic" }
    }
    inputs {
      name: "ids"
      dtype: INT64
      shape: "batch"
      shape: "length"
      distribution { integers { limit_parameter: "width" } }
    }
    inputs {
      name: "input"
      shape: "batch"
      shape: "width"
      shape: "width"
      distribution { uniform {} }
    }
    outputs { name: "y" shape: "batch" }
  }
  models { name: "toy" implementation: "toy" }
)pb";
constexpr char kNamed[] =
    "name: \"toy_fp32_b3_s16_seed7_train_channels_last\" model: \"toy\" dtype: FP32 batch: 3 seed: "
    "7 "
    "mode: TRAIN parameters { key: \"length\" value { integer: 16 } } "
    "execution { memory_format: CHANNELS_LAST }";
constexpr char kCase[] =
    "name: \"toy_fp32_b3\" model: \"toy\" dtype: FP32 batch: 3 verify { rule: ALLCLOSE atol: 1e-3 "
    "provenance: \"p\" }";

template <typename Message>
Message Parsed(const std::string& text, Problems* problems) {
  Message message;
  ParseCaseText(text, "x.textproto", /*with_line=*/true, &message, problems);
  return message;
}

void CheckResolved(const Family& family, const BenchmarkCase& c, Problems* problems) {
  const ResolvedCase resolved =
      Resolve(family, c, {.key = "toy_fp32_b2", .rows = 2}, {}, "x.textproto", problems);
  if (!problems->empty()) return;
  const VerifyParameters& verify = resolved.benchmark_case().verify();
  Require(resolved.benchmark_case().batch() >= 1, "batch is positive");
  Require(std::isfinite(verify.atol()) && std::isfinite(verify.rtol()) &&
              std::isfinite(verify.max_limit()) && std::isfinite(verify.rms_limit()),
          "limits are finite");
  for (const TensorSpec& input : resolved.measured().inputs()) {
    int64_t elements = 1;
    for (const int64_t size : input.shape()) {
      Require(size >= 1 && size <= (int64_t{1} << 40) / elements, "an input's size is in range");
      elements *= size;
    }
  }
  for (const Workload* workload : {&resolved.measured(), &resolved.verified(), &resolved.smoke()}) {
    for (const TensorSpec& input : workload->inputs())
      Require(DistributionProblem(input).empty(), "a tensor can be made of every input");
    Require(workload->outputs_size() > 0, "there is an output");
    for (const ExpectedOutput& output : workload->outputs())
      Require(output.dtype() != DTYPE_UNSPECIFIED, "an output has a dtype");
  }
  Require(!resolved.SerializeAsString().empty(), "it can be written");
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace assay;
  static const Family& toy = *[] {
    Problems problems;
    return new Family(Parsed<Family>(kFamily, &problems));
  }();
  // The identity in a file's name.
  static const BenchmarkCase& named = *[] {
    Problems problems;
    return new BenchmarkCase(Parsed<BenchmarkCase>(kNamed, &problems));
  }();
  const std::string text(fuzz::Input(data, size));
  Problems of_case, of_family;
  const BenchmarkCase c = Parsed<BenchmarkCase>(text, &of_case);
  Problems of_name = of_case;
  BenchmarkCase filled = c;
  if (of_name.empty()) FillFromName(named, "x.textproto", &filled, &of_name);
  if (of_case.empty()) CheckResolved(toy, c, &of_case);
  if (of_name.empty()) {
    Require(filled.batch() == named.batch() && filled.seed() == named.seed() &&
                filled.mode() == named.mode() && filled.dtype() == named.dtype(),
            "a file says what its name says");
  }
  const Family family = Parsed<Family>(text, &of_family);
  if (of_family.empty()) CheckFamily(family, "x.textproto", &of_family);
  if (of_family.empty())
    CheckResolved(family, Parsed<BenchmarkCase>(kCase, &of_family), &of_family);
  for (const Problems& problems : {of_case, of_name, of_family}) {
    for (const std::string& problem : problems) fuzz::RequireMessage(problem, 20'000);
  }
  return 0;
}
