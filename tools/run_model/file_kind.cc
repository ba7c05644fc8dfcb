#include "tools/run_model/file_kind.h"

#include <caffe2/serialize/inline_container.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "benchmarks/harness/base/torch_status.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"
#include "benchmarks/harness/text/untrusted_text.h"
#include "defs/case/execution_names.h"

namespace assay::run_model {
namespace {

// The back ends whose files look so, as kinds of files.
std::vector<FileKind> KindsOfContainer(std::string_view container) {
  std::vector<FileKind> kinds;
  for (const BackendRow& row : kBackendTable) {
    if (row.container != container) continue;
    kinds.push_back(
        {.backend = row.name, .name = row.files, .may_do = row.may_do, .native = row.native});
  }
  return kinds;
}

// One field of a message, without reading what it holds. Nothing where the bytes are none.
struct Field {
  uint64_t number = 0;
  size_t bytes = 0;  // with its tag
};

std::optional<uint64_t> Varint(std::string_view bytes, size_t& at) {
  uint64_t value = 0;
  for (int shift = 0; shift < 64 && at < bytes.size(); shift += 7) {
    const auto byte = static_cast<uint8_t>(bytes[at++]);
    value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  return std::nullopt;
}

std::optional<Field> FieldOf(std::string_view bytes) {
  size_t at = 0;
  const std::optional<uint64_t> tag = Varint(bytes, at);
  if (!tag) return std::nullopt;
  switch (*tag & 7) {
    case 0:
      if (!Varint(bytes, at)) return std::nullopt;
      break;
    case 1:
      at += 8;
      break;
    case 2: {
      const std::optional<uint64_t> size = Varint(bytes, at);
      if (!size || *size > bytes.size() - at) return std::nullopt;
      at += *size;
      break;
    }
    case 5:
      at += 4;
      break;
    default:
      return std::nullopt;
  }
  if (at > bytes.size()) return std::nullopt;
  return Field{.number = *tag >> 3, .bytes = at};
}

// A ModelProto (onnx.proto): a protocol buffer has no mark of its own, but few other files are whole
// fields from end to end with a version, a graph and a set of operators.
bool IsOnnx(std::string_view bytes) {
  constexpr uint64_t kIrVersion = 1, kGraph = 7, kOpsetImport = 8, kLast = 25;
  uint64_t seen = 0;
  while (!bytes.empty()) {
    const std::optional<Field> field = FieldOf(bytes);
    if (!field || field->number == 0 || field->number > kLast) return false;
    seen |= uint64_t{1} << field->number;
    bytes.remove_prefix(field->bytes);
  }
  constexpr uint64_t kNeeded =
      uint64_t{1} << kIrVersion | uint64_t{1} << kGraph | uint64_t{1} << kOpsetImport;
  return (seen & kNeeded) == kNeeded;
}

constexpr std::string_view kWriteModel =
    "Write the model by torch.jit.save(torch.jit.script(model), FILE) or torch.export.save()";
constexpr std::string_view kPickle =
    "torch.save() wrote it: a pickle, of weights or of a Python object, without code. In Python, "
    "load it into the model, and write the model by torch.jit.save(torch.jit.script(model), FILE) "
    "or torch.export.save()";

// The kinds of a zip file, by the members that each must have.
absl::StatusOr<std::vector<FileKind>> KindsOfArchive(const std::string& path) {
  std::vector<std::string> members;
  const absl::Status read = base::CatchTorch("reading its directory", [&] {
    members = caffe2::serialize::PyTorchStreamReader(path).getAllRecords();
  });
  if (!read.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("a zip file that is damaged, cut off or not PyTorch's: download it again. ",
                     kWriteModel, "; ", read.message()));
  }
  bool script = false, graph = false, library = false, pickle = false;
  for (const std::string& member : members) {
    const std::vector<std::string_view> parts = absl::StrSplit(member, '/');
    if (parts[0].empty() || std::find(parts.begin(), parts.end(), "..") != parts.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("its member ", base::Quoted(member), " lies outside of the archive"));
    }
    script |= absl::StartsWith(member, "code/");
    graph |= absl::StartsWith(member, "models/") && absl::EndsWith(member, ".json");
    library |= absl::StartsWith(member, "data/aotinductor/");
    pickle |= member == "data.pkl";
  }
  std::vector<FileKind> kinds;
  for (const auto& [is_there, container] :
       {std::pair(library, "library"), std::pair(graph, "graph"), std::pair(script, "script")}) {
    if (is_there) absl::c_move(KindsOfContainer(container), std::back_inserter(kinds));
  }
  if (!kinds.empty()) return kinds;
  return absl::InvalidArgumentError(
      pickle
          ? std::string(kPickle)
          : absl::StrCat("a zip file without code/, models/*.json or data/aotinductor/: no model "
                         "of PyTorch's. ",
                         kWriteModel));
}

// How files of other kinds begin, and what to do with them.
constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
    {"version https://git-lfs",
     "a pointer of Git LFS, not the file: git lfs pull fetches the file"},
    {"<!DOCTYPE", "a page of HTML, which a server gives in the place of a file: download it again"},
    {"<html", "a page of HTML, which a server gives in the place of a file: download it again"},
    {"\x80\x02", kPickle},  // of PyTorch before 1.6, or by _use_new_zipfile_serialization=False
};

// The length of its head, which begins with a brace.
bool IsSafetensors(std::string_view bytes) {
  return bytes.size() > 9 && bytes[8] == '{' &&
         bytes.substr(4, 4) == std::string_view("\0\0\0\0", 4);
}

absl::StatusOr<std::vector<FileKind>> KindsOfBytes(std::string_view bytes) {
  if (bytes.empty())
    return absl::InvalidArgumentError("it is empty (0 bytes): write or download it again");
  if (IsOnnx(bytes)) return KindsOfContainer("onnx");
  for (const auto& [start, what] : kOthers) {
    const bool page = start[0] == '<';
    if (page ? absl::StartsWithIgnoreCase(absl::StripLeadingAsciiWhitespace(bytes), start)
             : absl::StartsWith(bytes, start))
      return absl::InvalidArgumentError(what);
  }
  if (IsSafetensors(bytes)) {
    return absl::InvalidArgumentError(
        absl::StrCat("safetensors: tensors without a model. ", kWriteModel,
                     "; a case of this suite takes such weights by --weights"));
  }
  return absl::InvalidArgumentError(
      "it is none of: TorchScript (torch.jit.save), .pt2 (torch.export.save, AOTInductor), ONNX; "
      "or it is cut off: write or download it again");
}

}  // namespace

absl::StatusOr<FileKind> KindOf(const std::string& path, std::string_view backend) {
  const auto file = tensor_files::MappedFile::Open(path);
  if (!file.ok()) return file.status();
  const absl::StatusOr<std::vector<FileKind>> kinds =
      absl::StartsWith((*file)->bytes(), "PK\x03\x04") ? KindsOfArchive(path)
                                                       : KindsOfBytes((*file)->bytes());
  if (!kinds.ok())
    return absl::InvalidArgumentError(absl::StrCat(path, ": ", kinds.status().message()));
  for (const FileKind& kind : *kinds) {
    if (backend.empty() || kind.backend == backend) return kind;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("--backend=", backend, ": ", path, " is ", kinds->front().name,
                   ", which --backend=", kinds->front().backend, " runs; leave the flag out"));
}

}  // namespace assay::run_model
