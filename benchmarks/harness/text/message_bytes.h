#ifndef ASSAY_BENCHMARKS_HARNESS_TEXT_MESSAGE_BYTES_H_
#define ASSAY_BENCHMARKS_HARNESS_TEXT_MESSAGE_BYTES_H_

// ---------------------------------------------------------------------------------------------
// message_bytes.h: a message of Protocol Buffers as bytes, equal for equal content: the entries of
// maps are sorted.
//
// Example:
//   std::string digest = Sha256Hex(MessageBytes(c.benchmark_case()));
// ---------------------------------------------------------------------------------------------

#include <string>

#include "google/protobuf/io/coded_stream.h"
#include "google/protobuf/io/zero_copy_stream_impl_lite.h"
#include "google/protobuf/message_lite.h"

namespace assay::base {

inline std::string MessageBytes(const google::protobuf::MessageLite& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream stream(&bytes);
  google::protobuf::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializePartialToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

}  // namespace assay::base

#endif  // ASSAY_BENCHMARKS_HARNESS_TEXT_MESSAGE_BYTES_H_
