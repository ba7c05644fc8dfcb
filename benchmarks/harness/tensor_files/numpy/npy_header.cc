#include "benchmarks/harness/tensor_files/numpy/npy_header.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "benchmarks/harness/tensor_files/safetensors.h"
#include "benchmarks/harness/text/untrusted_text.h"

namespace assay::tensor_files::internal {
namespace {

constexpr size_t kMostDimensions = 64;  // as NumPy 2

std::optional<SafetensorsDtype> DtypeOf(std::string_view descr) {
  using D = SafetensorsDtype;
  static constexpr struct {
    std::string_view descr;
    SafetensorsDtype dtype;
  } kTable[] = {
      {"|b1", D::kBool}, {"|u1", D::kU8},  {"|i1", D::kI8},  {"<u2", D::kU16}, {"<i2", D::kI16},
      {"<u4", D::kU32},  {"<i4", D::kI32}, {"<u8", D::kU64}, {"<i8", D::kI64}, {"<f2", D::kF16},
      {"<f4", D::kF32},  {"<f8", D::kF64}, {"<c8", D::kC64},
  };
  for (const auto& row : kTable) {
    if (row.descr == descr) return row.dtype;
  }
  return std::nullopt;
}

// Names the type behind a descr that is refused, and says what to do.
std::string_view WhyNot(std::string_view descr) {
  const char order = descr.empty() ? ' ' : descr[0];
  const char kind = descr.size() < 2 ? ' ' : descr[1];
  if (kind == 'O' || descr == "O") return "Python objects, which are code: never read from a file";
  if (order == '>') return "big-endian: convert with array.astype(array.dtype.newbyteorder('<'))";
  if (kind == 'S' || kind == 'U' || kind == 'a') return "text: not numbers";
  if (kind == 'V') return "raw bytes (bfloat16 saved by NumPy looks so): use safetensors";
  if (kind == 'M' || kind == 'm') return "dates: not numbers";
  return "unknown: convert with array.astype first";
}

// Reads the dictionary from front to end. Each Take… advances, or keeps a fault.
class HeaderText {
 public:
  explicit HeaderText(std::string_view text) : text_(text) {}

  absl::StatusOr<NpyHeader> Parse() {
    NpyHeader header;
    bool ok = Take('{');
    while (ok && !Next('}')) ok = TakeMember(header) && (Next('}') || Take(','));
    if (!ok || !Take('}') || !CheckEnd()) return status_;
    if (!has_descr_ || !has_order_ || !has_shape_) {
      return NpyFault("its header must have 'descr', 'fortran_order' and 'shape'");
    }
    return header;
  }

 private:
  bool Fail(std::string_view problem) {
    if (status_.ok()) status_ = NpyFault(problem);
    return false;
  }

  void SkipSpaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool Next(char c) {
    SkipSpaces();
    return at_ < text_.size() && text_[at_] == c;
  }

  bool Take(char c) {
    if (!Next(c)) {
      return Fail(absl::StrCat("its header has ", base::Quoted(text_.substr(at_, 20)), " at byte ",
                               at_, ", expected '", std::string(1, c), "'"));
    }
    ++at_;
    return true;
  }

  // A quoted string without escapes, which NumPy never writes here.
  bool TakeString(std::string_view& value) {
    const char quote = Next('"') ? '"' : '\'';
    if (!Take(quote)) return false;
    const size_t end = text_.find(quote, at_);
    if (end == text_.npos) return Fail("its header has a string without an end");
    value = text_.substr(at_, end - at_);
    if (value.find_first_of("\\\n") != value.npos) {
      return Fail(absl::StrCat("its header has the string ", base::Quoted(value)));
    }
    at_ = end + 1;
    return true;
  }

  bool TakeMember(NpyHeader& header) {
    std::string_view key;
    if (!TakeString(key) || !Take(':')) return false;
    if (key == "descr") return Once(has_descr_, key) && TakeDescr(header);
    if (key == "fortran_order") return Once(has_order_, key) && TakeOrder(header);
    if (key == "shape") return Once(has_shape_, key) && TakeShape(header);
    return Fail(absl::StrCat("its header has the key ", base::Quoted(key),
                             "; 'descr', 'fortran_order' and 'shape' are allowed"));
  }

  bool Once(bool& seen, std::string_view key) {
    if (seen) return Fail(absl::StrCat("its header has the key ", base::Quoted(key), " twice"));
    seen = true;
    return true;
  }

  bool TakeDescr(NpyHeader& header) {
    if (Next('[') || Next('(')) {
      return Fail("its dtype is a structure or has fields: save each field as an array of its own");
    }
    std::string_view descr;
    if (!TakeString(descr)) return false;
    const std::optional<SafetensorsDtype> dtype = DtypeOf(descr);
    if (!dtype.has_value()) {
      return Fail(
          absl::StrCat("its dtype is ", base::Quoted(descr), ", ", WhyNot(descr),
                       "; allowed are |b1 |i1 |u1 <i2 <i4 <i8 <u2 <u4 <u8 <f2 <f4 <f8 <c8"));
    }
    header.dtype = *dtype;
    return true;
  }

  bool TakeOrder(NpyHeader& header) {
    SkipSpaces();
    for (const std::string_view word : {"True", "False"}) {
      if (!text_.substr(at_).starts_with(word)) continue;
      at_ += word.size();
      header.fortran_order = word == "True";
      return true;
    }
    return Fail("its header's fortran_order is neither True nor False");
  }

  // (), (3,), (3, 4) or (3, 4,); "(3)" is no tuple in Python.
  bool TakeShape(NpyHeader& header) {
    if (!Take('(')) return false;
    bool comma = false;
    while (!Next(')')) {
      if (header.shape.size() == kMostDimensions) {
        return Fail(absl::StrCat("its shape has more than ", kMostDimensions, " dimensions"));
      }
      if (!TakeSize(header)) return false;
      comma = Next(',');
      if (!comma) break;
      ++at_;
    }
    if (!Take(')')) return false;
    return header.shape.size() != 1 || comma || Fail("its header's shape is not a tuple");
  }

  bool TakeSize(NpyHeader& header) {
    SkipSpaces();
    const size_t end = std::min(text_.find_first_not_of("0123456789", at_), text_.size());
    const std::string_view digits = text_.substr(at_, end - at_);
    int64_t size = 0;
    if (digits.empty() || (digits.size() > 1 && digits[0] == '0')) {
      return Fail(absl::StrCat("its shape has ", base::Quoted(text_.substr(at_, 20)),
                               " where a size must be"));
    }
    if (!absl::SimpleAtoi(digits, &size)) {
      return Fail(
          absl::StrCat("its shape has the size ", base::Quoted(digits), ", which is too large"));
    }
    header.shape.push_back(size);
    at_ = end;
    return true;
  }

  bool CheckEnd() {
    SkipSpaces();
    if (text_.substr(at_) == "\n") return true;
    return Fail("its header does not end with spaces and a newline behind the dictionary's '}'");
  }

  std::string_view text_;
  size_t at_ = 0;
  absl::Status status_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

}  // namespace

absl::Status NpyFault(std::string_view problem) {
  return absl::DataLossError(absl::StrCat("not a usable npy file: ", problem));
}

absl::StatusOr<NpyHeader> ParseNpyHeader(std::string_view text) { return HeaderText(text).Parse(); }

}  // namespace assay::tensor_files::internal
