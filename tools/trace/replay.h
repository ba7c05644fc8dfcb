#ifndef ASSAY_TOOLS_TRACE_REPLAY_H_
#define ASSAY_TOOLS_TRACE_REPLAY_H_

// ---------------------------------------------------------------------------------------------
// replay.h: //tools/trace's action replay: a trace as a run of the harness, with a verdict, times
// and a record.
//
// Example:
//   if (std::string_view(argv[1]) == "replay") assay::trace::RunReplay(argc, argv);
// ---------------------------------------------------------------------------------------------

namespace assay::trace {

// `argv[1]` is "replay", or the first of et_replay's flags. Ends the process.
[[noreturn]] void RunReplay(int argc, char** argv);

}  // namespace assay::trace

#endif  // ASSAY_TOOLS_TRACE_REPLAY_H_
