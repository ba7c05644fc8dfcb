// Is a float32 softmax right? A verdict against float64, in a program with a main() of its own.
//
// Exit code: 0 right, 1 wrong, 2 no verdict. With a word on the command line, the softmax has a mistake.
#include <cstdio>
#include <string>

#include "ATen/ATen.h"
#include "assay/numerics/comparison.h"
#include "assay/numerics/reference_writer.h"
#include "assay/record/outcome.h"

int main(int argc, char**) {
  at::manual_seed(0);
  const at::Tensor logits = at::randn({8, 100});
  const auto want = assay::numerics::MakeReferenceOutput(
      {"probabilities", at::softmax(logits.to(at::kDouble), 1)});
  if (!want.ok()) {
    std::fprintf(stderr, "verify: %s\n", want.status().ToString().c_str());
    return 2;
  }
  assay::numerics::ReferenceOutputs reference;
  reference.outputs = {*want};

  assay::numerics::ExpectedOutputs expected;
  assay::ExpectedOutput& output = *expected.Add();
  output.set_name("probabilities");
  output.set_dtype(assay::FP32);
  for (const int64_t size : logits.sizes()) output.add_shape(size);
  assay::VerifyParameters limits;
  limits.set_rule(assay::RELATIVE_TO_STD);
  limits.set_rms_limit(1e-5);
  limits.set_max_limit(1e-4);
  limits.set_provenance("float32 has a rounding error of 6e-8");

  const at::Tensor got = argc > 1 ? at::softmax(logits * 1.001, 1) : at::softmax(logits, 1);
  const assay::Verdict verdict = assay::numerics::Compare(reference, expected, {got}, limits);
  std::printf("verdict    %s %s\n",
              std::string(assay::record::OutcomeName(verdict.outcome())).c_str(),
              verdict.message().c_str());
  return assay::record::ExitCode(verdict.outcome());
}
