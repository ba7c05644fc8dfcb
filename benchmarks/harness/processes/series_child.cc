// A child for series_test: does items FIRST to 9, and dies at some of them.
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "benchmarks/harness/processes/series.h"

int main(int argc, char** argv) {
  const std::string journal_path = argv[1], fault = argc > 3 ? argv[3] : "";
  if (fault == "early") return 5;
  auto journal = assay::processes::Journal::Open(journal_path, absl::Milliseconds(500));
  for (int item = std::stoi(argv[2]); item < 10; ++item) {
    journal->Begin(item, "item " + std::to_string(item) + (item == 1 ? " with a long note" : ""))
        .IgnoreError();
    if (item == 2 && fault == "abort") std::abort();
    if (item == 3 && fault == "abort") std::_Exit(0);
    if (item == 9 && fault == "abort") sleep(60);
    journal->End().IgnoreError();
    if (item == 5 && fault == "abort") std::abort();
    if (item % 4 == 1 && fault == "leave") std::_Exit(item == 5 ? 1 : 2);
  }
  journal->Finish(7).IgnoreError();
}
