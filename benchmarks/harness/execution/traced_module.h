#ifndef ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRACED_MODULE_H_
#define ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRACED_MODULE_H_

// ---------------------------------------------------------------------------------------------
// traced_module.h: a program's forward pass as a TorchScript module, traced on the shapes of given
// inputs. The back end torchscript calls it; export_model and the back ends that read files
// (benchmarks/backends) begin with the file that Bytes() makes.
//
// In the file, the module's tensors have the program's names, with '_' for what an identifier cannot
// hold, forward's arguments have `names`, and the attribute example_inputs has the inputs that were
// traced, so that whoever converts the file can call it.
//
// Not for: programs that do more than a forward pass (Backend::Check()). Functions let c10::Error
// through.
//
// Example:
//   TracedModule module(program, inputs, {"image"});
//   absl::Status written = WriteFileAtomically(path, module.Bytes(/*with_inputs=*/true));
// ---------------------------------------------------------------------------------------------

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "benchmarks/harness/programs/program.h"

namespace assay::execution {

// An argument of a module's forward.
struct ModuleArgument {
  std::string name;
  std::string type;           // as TorchScript writes it: "Tensor", "float"
  bool takes_tensor = false;  // or a list of tensors: the rows of a tensor give it
  bool takes_number = false;  // an int, a float or a bool: a tensor without dimensions gives it
  // A dict, a tuple or a list of these: "batch.ids", "pair.0" and "pair.1" give its parts, in any depth.
  bool has_parts = false;
  bool has_default = false;
};

class TracedModule {
 public:
  // Shares the program's state. `names`: of the inputs; those that lack are input0, input1, ...
  TracedModule(Program& program, const Tensors& inputs, const std::vector<std::string>& names);
  // Reads what torch.jit.save() or Bytes() has written, of a trace or of a script, for evaluation on
  // the CPU. The file's own code may run.
  static TracedModule Read(const std::string& path);
  TracedModule(TracedModule&&) noexcept;
  ~TracedModule();

  // forward's arguments without the module itself.
  std::vector<ModuleArgument> Arguments() const;
  // The names of what forward's arguments take of tensors with these names: themselves, or their parts.
  static std::vector<std::string> PartsOf(const ModuleArgument& argument,
                                          const std::vector<std::string>& names);
  // The dropouts and batch norms that Read() has switched to evaluation, for a person: "drop (Dropout)".
  const std::string& SwitchedToEvaluation() const;
  // A call that computes as while training whatever the module's mode, as a trace of a module in training mode has;
  // "": none.
  std::string TrainingCall() const;
  // Later calls give these arguments or parts of them, in this order, and defaults for the others. Unless all names
  // are arguments, calls give arguments by their positions. Throws c10::Error where one without a
  // default is missing.
  void Take(const std::vector<std::string>& names);

  // The values of the module's attributes, for a comparison: a text for each tensor, number, word and list
  // of these, by its name; other kinds are left out.
  std::map<std::string, std::string> State() const;
  // Keeps copies of these attributes, which Restore() gives back to the module. Names that it does not
  // have are passed over.
  void Keep(const std::vector<std::string>& attributes);
  void Restore();

  // Later calls record gradients of the parameters that ask for them.
  void RecordGradients();
  // Parameters of four dimensions become channels_last.
  void LayOutChannelsLast();

  // Makes the state constants of the graph, which TorchScript then folds.
  void Freeze();

  // The results of forward as one list, out of tuples, lists and dicts in their order.
  Tensors Call(const Tensors& inputs);

  // Bytes that torch.jit.load() reads: a function of the graph and the state, and of the inputs' values
  // where they are asked for.
  std::string Bytes(bool with_inputs) const;

 private:
  struct Parts;
  explicit TracedModule(std::unique_ptr<Parts> parts);

  std::unique_ptr<Parts> parts_;
};

}  // namespace assay::execution

#endif  // ASSAY_BENCHMARKS_HARNESS_EXECUTION_TRACED_MODULE_H_
