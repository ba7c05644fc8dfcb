#ifndef ASSAY_CI_FUZZ_MUTATION_H_
#define ASSAY_CI_FUZZ_MUTATION_H_

// ---------------------------------------------------------------------------------------------
// mutation.h: damage to a file that is the same on every machine, for the short form of fuzz tests.
//
// Blind: it does not look at coverage. That is what libFuzzer is for (run.sh); here the corpus
// carries what was found there, and these are the neighbours of it.
//
// Example:
//   std::mt19937_64 random(0);
//   std::string damaged = Mutated(corpus, random);
// ---------------------------------------------------------------------------------------------

#include <random>
#include <string>
#include <vector>

namespace assay::fuzz {

// One of `corpus`, changed in one to four places; at most 1 MiB. Uses only the engine's bits, whose
// sequence the language fixes, never a distribution.
std::string Mutated(const std::vector<std::string>& corpus, std::mt19937_64& random);

}  // namespace assay::fuzz

#endif  // ASSAY_CI_FUZZ_MUTATION_H_
