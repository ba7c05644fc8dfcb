// -----------------------------------------------------------------------------
// File: random_record.h
// -----------------------------------------------------------------------------
//
// Records with anything in any field: the extremes of numbers, text in every alphabet, and, where
// asked, what no JSON can hold.
//
// Not like a record of a run, whose fields belong together; but no part says PASS beside one that
// failed, for a reader refuses that.
//
//   std::mt19937_64 random(1);
//   RandomRecord made = MakeRandomRecord(/*hostile=*/true, random);
//   record::ToJsonLine(made.record).ok() == !made.must_be_refused

#ifndef ASSAY_CI_CERTIFY_RANDOM_RECORD_H_
#define ASSAY_CI_CERTIFY_RANDOM_RECORD_H_

#include <random>

#include "defs/proto/record.pb.h"

namespace assay::certify {

struct RandomRecord {
  Record record;
  bool must_be_refused = false;  // it holds NaN, an infinity, or text that is not UTF-8
};

// Without `hostile`, none must be refused. Every text that is not UTF-8 contains "broken".
RandomRecord MakeRandomRecord(bool hostile, std::mt19937_64& random);

}  // namespace assay::certify

#endif  // ASSAY_CI_CERTIFY_RANDOM_RECORD_H_
