#ifndef ASSAY_BENCHMARKS_BACKENDS_NUMBER_OPERATORS_H_
#define ASSAY_BENCHMARKS_BACKENDS_NUMBER_OPERATORS_H_

// ---------------------------------------------------------------------------------------------
// number_operators.h: Python's arithmetic as operators of the dispatcher. A graph of torch.export with open sizes
// computes with them: view(x, [batch, 2 * length]) has a call of _operator.mul (exported_graph.h).
//
// They are those of _SYM_OPS in torch/_export/serde/serialize.py, and round as Python does: floordiv and mod towards
// minus infinity. `sym_` stands before the names, since a schema cannot be called and, int or float.
//
// Example:
//   RegisterNumberOperators();
//   auto mul = c10::Dispatcher::singleton().findSchemaOrThrow("assay_number::sym_mul", "");
// ---------------------------------------------------------------------------------------------

namespace assay::backends {

inline constexpr char kNumberOperators[] = "assay_number";  // their namespace

// Once a process.
void RegisterNumberOperators();

}  // namespace assay::backends

#endif  // ASSAY_BENCHMARKS_BACKENDS_NUMBER_OPERATORS_H_
