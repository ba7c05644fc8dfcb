// A runner for case_series_test. It takes --series and --series-first; each line is one word that
// says what to do.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>

#include "benchmarks/harness/processes/command_lines.h"
#include "benchmarks/harness/processes/series.h"

int main(int argc, char** argv) {
  const std::string path = std::string(argv[1]).substr(std::string("--series=").size());
  const auto first = std::stoul(std::string(argv[argc - 1]).substr(argc > 2 ? 15 : 0));
  auto journal = assay::processes::Journal::Open(path + ".journal");
  const auto lines = assay::processes::ReadCommandLines(path);
  int code = 0;
  for (size_t i = first; i < lines->size(); ++i) {
    const std::string word = (*lines)[i][0];
    if (word == "never_begins") return 0;
    journal->Begin(static_cast<int64_t>(i), "").IgnoreError();
    const auto testify = [&] {
      std::ofstream(std::getenv("ASSAY_TESTIMONY"), std::ios::app) << "verify //x:" << i << "\n";
    };
    if (word == "passes") testify();
    if (word == "fails") code = 1;
    if (word == "no_device") code = 2;
    if (word == "loses_the_device" || word == "breaks_the_device") {
      journal->End().IgnoreError();
      std::_Exit(word == "breaks_the_device" ? 1 : 2);
    }
    if (word == "aborts") std::abort();
    if (word == "exits_with_0") std::_Exit(0);
    if (word == "hangs") sleep(60);
    if (word == "aborts_behind_its_verdict") {
      testify();
      std::abort();
    }
    journal->End().IgnoreError();
  }
  journal->Finish(code).IgnoreError();
  return code;
}
