// Compares a case written by hand with what its file's name says.
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "defs/case/execution_names.h"
#include "defs/compiler/case_resolution.h"
#include "defs/proto/suite.pb.h"

namespace assay {
namespace {

// Fills in one field, or reports that file and name differ.
class Reconciliation {
 public:
  Reconciliation(const std::string& where, Problems* problems)
      : where_(where), problems_(problems) {}

  // `unset`: the value of a field that its author left out.
  template <typename Value>
  Value Field(std::string_view field, Value in_file, Value in_name, Value unset,
              std::string (*text)(Value)) const {
    if (in_file == unset) return in_name;
    if (in_file != in_name) Differ(field, text(in_file), text(in_name));
    return in_file;
  }

  void Differ(std::string_view field, std::string_view in_file, std::string_view in_name) const {
    problems_->push_back(absl::StrCat(where_, ": ", field, " is ", in_file,
                                      ", but the file's name says ", in_name,
                                      "; the two must agree"));
  }

 private:
  const std::string& where_;
  Problems* problems_;
};

std::string NumberText(int64_t number) { return absl::StrCat(number); }
std::string SeedText(uint64_t seed) { return absl::StrCat(seed); }
std::string FlagText(bool flag) { return flag ? "true" : "false"; }

template <typename Enum>
std::string EnumText(Enum value, const std::string& (*name)(Enum), std::string_view unset) {
  return static_cast<int>(value) == 0 ? std::string(unset) : name(value);
}

std::string DtypeOrNone(Dtype dtype) { return EnumText(dtype, &Dtype_Name<Dtype>, "none"); }
std::string ModeText(CaseMode mode) { return EnumText(mode, &CaseMode_Name<CaseMode>, "EVAL"); }
std::string SameText(std::string text) { return text.empty() ? "none" : text; }
std::string FormatText(MemoryFormat format) {
  return EnumText(format, &MemoryFormat_Name<MemoryFormat>, "CONTIGUOUS");
}
std::string PrecisionText(MatmulPrecision precision) {
  return EnumText(precision, &MatmulPrecision_Name<MatmulPrecision>, "HIGHEST");
}

std::string ValueText(const ParameterValue& value) {
  return value.value_case() == ParameterValue::kInteger ? absl::StrCat(value.integer())
                                                        : "not an integer";
}

void FillParameters(const BenchmarkCase& named, const Reconciliation& both, BenchmarkCase* c) {
  for (const auto& [name, value] : c->parameters()) {
    const auto stated = named.parameters().find(name);
    const std::string field = absl::StrCat("parameter '", name, "'");
    if (stated == named.parameters().end()) {
      both.Differ(
          field, ValueText(value),
          "nothing of it (a parameter with a suffix stands in the name, any other is a model's)");
    } else if (value.value_case() != ParameterValue::kInteger ||
               value.integer() != stated->second.integer()) {
      both.Differ(field, ValueText(value), ValueText(stated->second));
    }
  }
  for (const auto& [name, value] : named.parameters()) (*c->mutable_parameters())[name] = value;
}

// A part that a name leaves out is the default, which the file may state.
void FillExecution(const Execution& named, const Reconciliation& both, Execution* e) {
  const auto or_default = [](auto value, auto fallback) {
    return static_cast<int>(value) == 0 ? fallback : value;
  };
  e->set_backend(both.Field("execution.backend", std::string(e->backend()), BackendName(named),
                            std::string(), &SameText));
  e->set_lowering(both.Field("execution.lowering", std::string(e->lowering()), named.lowering(),
                             std::string(), &SameText));
  e->set_memory_format(both.Field("execution.memory_format", e->memory_format(),
                                  or_default(named.memory_format(), CONTIGUOUS),
                                  MEMORY_FORMAT_UNSPECIFIED, &FormatText));
  e->set_autocast(both.Field("execution.autocast", e->autocast(), named.autocast(),
                             DTYPE_UNSPECIFIED, &DtypeOrNone));
  e->set_matmul_precision(both.Field("execution.matmul_precision", e->matmul_precision(),
                                     or_default(named.matmul_precision(), HIGHEST),
                                     MATMUL_PRECISION_UNSPECIFIED, &PrecisionText));
  e->set_deterministic(both.Field("execution.deterministic", e->deterministic(),
                                  named.deterministic(), false, &FlagText));
}

}  // namespace

void FillFromName(const BenchmarkCase& named, const std::string& where, BenchmarkCase* c,
                  Problems* problems) {
  const Reconciliation both(where, problems);
  if (!c->name().empty() && c->name() != named.name()) {
    problems->push_back(absl::StrCat(where, ": holds a case called '", c->name(),
                                     "'; file and case must share a name"));
  }
  c->set_name(named.name());
  if (!c->model().empty() && c->model() != named.model())
    both.Differ("model", c->model(), named.model());
  if (!c->has_operator_call()) c->set_model(named.model());
  c->set_dtype(both.Field("dtype", c->dtype(), named.dtype(), DTYPE_UNSPECIFIED, &DtypeOrNone));
  c->set_batch(both.Field("batch", c->batch(), named.batch(), int64_t{0}, &NumberText));
  c->set_seed(both.Field("seed", c->seed(), named.seed(), uint64_t{0}, &SeedText));
  const CaseMode mode = named.mode() == MODE_UNSPECIFIED ? EVAL : named.mode();
  c->set_mode(both.Field("mode", c->mode(), mode, MODE_UNSPECIFIED, &ModeText));
  if (c->mode() == TRAIN && !c->has_training()) {
    problems->push_back(
        absl::StrCat(where,
                     ": a training case needs its optimizer: training { "
                     "optimizers { sgd { learning_rate: 0.1 momentum: 0.9 } } loss: MEAN }"));
  }
  if (c->mode() != TRAIN && c->has_training())
    both.Differ("training", "set", "no _train behind the batch");
  if (c->mode() != GENERATE && c->has_generation())
    both.Differ("generation", "set", "no _gen<N> behind the batch");
  if (named.has_generation()) {
    const int64_t tokens = c->generation().new_tokens();
    c->mutable_generation()->set_new_tokens(both.Field(
        "generation.new_tokens", tokens, named.generation().new_tokens(), int64_t{0}, &NumberText));
  }
  FillParameters(named, both, c);
  FillExecution(named.execution(), both, c->mutable_execution());
  c->set_label(named.label());
  c->mutable_skips()->MergeFrom(named.skips());  // those that its execution has in any case
  c->mutable_tags()->MergeFrom(named.tags());
}

}  // namespace assay
