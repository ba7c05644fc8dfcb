#include "benchmarks/harness/environment/facts/fact.h"

#include "benchmarks/harness/environment/machine/machine.h"

namespace assay::environment {
namespace {

void Add(std::string_view name, FactState state, std::string_view value, std::string_view advice,
         Environment& environment) {
  MachineFact& fact = *environment.add_facts();
  fact.set_name(std::string(name));
  fact.set_state(state);
  fact.set_value(std::string(value));
  fact.set_advice(std::string(advice));
}

}  // namespace

void AddGood(std::string_view name, std::string_view value, Environment& environment) {
  Add(name, FACT_GOOD, value, "", environment);
}

void AddBad(std::string_view name, std::string_view value, std::string_view advice,
            Environment& environment) {
  Add(name, FACT_BAD, value, advice, environment);
}

void AddUnknown(std::string_view name, std::string_view value, std::string_view advice,
                Environment& environment) {
  Add(name, FACT_UNKNOWN, value, advice, environment);
}

void AddJudged(std::string_view name, bool good, std::string_view value, std::string_view advice,
               Environment& environment) {
  if (good) {
    AddGood(name, value, environment);
  } else {
    AddBad(name, value, advice, environment);
  }
}

std::string AdviceForUnseen(const std::string& root, std::string_view look) {
  if (IsVirtualMachine(root).value_or(false)) {
    return "only the host of this virtual machine has it: measure on bare metal";
  }
  return std::string(look);
}

}  // namespace assay::environment
