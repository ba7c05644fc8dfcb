// -----------------------------------------------------------------------------
// File: google_peer.h
// -----------------------------------------------------------------------------
//
// The report of plain Google Benchmark for a function, in this process: its mean time of a call. The
// peer of the certificate.
//
//   const double ns = TimeWithGoogle(GooglePeer::kManualTime, call, /*min_time_s=*/0.1);

#ifndef ASSAY_CI_CERTIFY_GOOGLE_PEER_H_
#define ASSAY_CI_CERTIFY_GOOGLE_PEER_H_

#include <functional>

namespace assay::certify {

enum class GooglePeer {
  kPlain,       // for (auto _ : state) call();
  kPauses,      // PauseTiming and ResumeTiming before each call, as for work that is not timed
  kManualTime,  // steady_clock around each call, SetIterationTime
};

double TimeWithGoogle(GooglePeer how, const std::function<void()>& call, double min_time_s);

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_GOOGLE_PEER_H_
