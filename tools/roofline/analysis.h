// -----------------------------------------------------------------------------
// File: analysis.h
// -----------------------------------------------------------------------------
//
// Computes how close each measured step of some records comes to the peaks that its machine
// reached.
//
// The roofline: a call that computes F operations and moves B bytes takes at least
//
//   max(F / compute, B / memory)
//
// and its share of the roofline is that time over its own. compute is the peak of this name that
// --peaks keeps in a record (benchmarks/harness/runner/peak_probes.h), memory the higher one of
// stream and read. F counts products only: a step without counted products is held against memory
// alone.
//
// A share whose interval lies above 1 has a reason if the record's figures give one: without the
// operations or bytes that the call may have been spared (products with padding, what the last
// cache can hold from one call to the next) the interval would reach 1, or the peak was FLAGGED.
// Else it is a finding, which a note says.
//
// The share's interval comes from those of the time and of the peak by the method MOVER on a
// logarithmic scale (Donner and Zou, Statistical Methods in Medical Research 21 (2012)): the
// distances of a limit from its estimate are added as squares, which takes the two for independent.
//
// Not for printing: report.h, plot.h.
//
//   Analysis analysis = Analyse(inputs, /*peak_inputs=*/{}, selection);
//   Sort(analysis.rows, {.key = "share"});

#ifndef ASSAY_TOOLS_ROOFLINE_ANALYSIS_H_
#define ASSAY_TOOLS_ROOFLINE_ANALYSIS_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/harness/record/record_file.h"
#include "defs/record.pb.h"
#include "defs/suite.pb.h"

namespace assay::roofline {

// On the CPU a call that takes less than this many times what the clock reads around an empty
// function is called launch-bound. The smallest operator's way through LibTorch's dispatcher and
// allocator takes 28 to 50 times as long (docs/roofline.md), a quarter to a half of the time here.
inline constexpr double kLaunchFactor = 100;

enum class Bound { kUnknown, kCompute, kMemory, kLaunch };
std::string_view BoundName(Bound bound);  // "-", "compute", "memory", "launch"

// An estimate with its 95 % interval; low and high are 0 where there is none.
struct Estimate {
  double value = 0, low = 0, high = 0;
  bool has_interval() const { return low > 0 && high > 0; }
};

// One step of one record. Numbers are 0 where they are not known.
struct Row {
  std::string name = {};  // "resnet18_fp32_b1", "mm_fp32_m256_k256_n256_backward/backward"
  std::string mode = {};
  std::string machine = {};  // "cpu Intel(R) Xeon(R) Processor, 2 threads"
  std::string device = {};   // "cpu", "cuda"
  Dtype dtype = DTYPE_UNSPECIFIED;
  Estimate time_ns = {};
  double flops = 0, bytes = 0;  // of a call
  Bound bound = Bound::kUnknown;
  std::optional<Estimate> share = {};   // 1 is the roof
  std::vector<std::string> marks = {};  // what a reader has to know before the numbers are used
  std::string file = {}, started_utc = {};

  double Intensity() const { return bytes > 0 ? flops / bytes : 0; }  // operations a byte
  double FlopsPerSecond() const { return time_ns.value > 0 ? 1e9 * flops / time_ns.value : 0; }
  double BytesPerSecond() const { return time_ns.value > 0 ? 1e9 * bytes / time_ns.value : 0; }
};

// The peaks of one machine in one dtype.
struct Roof {
  std::string machine = {};
  Dtype dtype = DTYPE_UNSPECIFIED;
  std::optional<Peak> compute = {}, memory = {};
};

struct Analysis {
  std::vector<Row> rows;
  std::vector<Roof> roofs;  // those that the rows were held against; of several records the middle
  std::vector<std::string> machines;  // of the rows, each once
  std::vector<std::string> notes;     // what a reader has to know of the whole
};

// Which steps become rows.
struct Selection {
  std::string filter = {};  // a regular expression that matches somewhere in the name
  std::string dtype = {};   // "bf16"; empty: all
  // The mode, or preset, of the measurement; empty: wall, and where a step has none, its first.
  std::string mode = {};
};

// A file of records by its name.
struct Input {
  std::string path;
  record::RecordFile file;
};

// Rows are in the order of the files. A record without peaks of its own takes the highest of those
// that any record, of `inputs` or `peak_inputs`, has of the same machine and dtype: a machine that
// was busy reaches less, never more.
Analysis Analyse(const std::vector<Input>& inputs, const std::vector<Input>& peak_inputs,
                 const Selection& selection);

struct Order {
  std::string key = "file";  // "share", "time", "flops", "bytes", "intensity", "name", "file"
  bool reversed = false;
};

// Numbers from the largest on, names by the alphabet, "file" as they are; rows without the number
// come last either way.
void Sort(std::vector<Row>& rows, const Order& order);

// a / b, with an interval where both have one.
Estimate Ratio(const Estimate& a, const Estimate& b);

}  // namespace assay::roofline

#endif  // ASSAY_TOOLS_ROOFLINE_ANALYSIS_H_
