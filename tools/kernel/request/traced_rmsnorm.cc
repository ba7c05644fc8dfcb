// Writes what flashinfer_reference.py traces of rmsnorm_h128.json, for tests without a Python that has torch.
//
//   traced_rmsnorm SCRIPT definition.json workload.jsonl FOLDER SEED
#include <torch/csrc/jit/api/module.h>

#include <string>

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const std::string scaled = "* ((x.pow(2).mean([-1], True) + 1e-06).rsqrt()) * w";
  for (const char* const workload : {"0", "1"}) {
    for (const bool exact : {true, false}) {
      torch::jit::Module module("reference");
      module.define("def forward(self, hidden, weight):\n  x = hidden" +
                    std::string(exact ? "" : ".float()") + "\n  w = weight" +
                    (exact ? "" : ".float()") + "\n  return ((x " + scaled + ")" +
                    (exact ? "" : ".to(hidden.dtype)") + ",)\n");
      module.save(std::string(argv[4]) + "/" + workload + (exact ? ".exact.pt" : ".own.pt"));
    }
  }
  return 0;
}
