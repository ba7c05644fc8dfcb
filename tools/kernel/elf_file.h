// -----------------------------------------------------------------------------
// File: elf_file.h
// -----------------------------------------------------------------------------
//
// The words of a shared library about itself, in its file: what it defines, what it needs. Nothing of it
// is loaded, so none of its code runs. It reads what the loader reads, the dynamic segment; section
// headers may be missing or lie. A file that is cut off, or made to harm, gives an error.
//
// Not for what the library does once it is loaded: its constructors can change anything.
//
//   absl::StatusOr<ElfFile> file = ElfFile::Open("libmine.so");
//   file->ForEachSymbol([](const ElfSymbol& symbol) { ... });   // "clock_gettime", defined, strong

#ifndef ASSAY_TOOLS_KERNEL_ELF_FILE_H_
#define ASSAY_TOOLS_KERNEL_ELF_FILE_H_

#include <elf.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "benchmarks/harness/tensor_files/mapped_file.h"

namespace assay::kernel {

// One of those that the loader can find for others, or that the library asks others for.
struct ElfSymbol {
  std::string_view name;  // as the compiler has mangled it
  bool defined = false;   // false: another library has to define it
  bool strong = false;    // false: the loader may take another definition, as of inline functions
  bool function = false;
};

class ElfFile {
 public:
  // Follows links. NotFound and the like as of MappedFile; InvalidArgument, which says what the file is,
  // where it is no library of this machine's kind or is damaged.
  static absl::StatusOr<ElfFile> Open(const std::string& path);

  // The bytes must outlive it; `name` begins the messages.
  static absl::StatusOr<ElfFile> Parse(std::string_view bytes, std::string_view name);

  // Its name for itself; empty: it has none.
  const std::string& soname() const { return soname_; }
  // The libraries that the loader loads with it.
  const std::vector<std::string>& needed() const { return needed_; }
  // Functions that the loader calls before anybody can call the library. GCC's start files bring one
  // that does nothing; a library that registers something has more.
  int64_t init_functions() const { return init_functions_; }

  // Without hidden symbols, and those of the file alone.
  void ForEachSymbol(absl::FunctionRef<void(const ElfSymbol&)> visit) const;

 private:
  ElfFile(std::string_view bytes, std::string_view name) : bytes_(bytes), name_(name) {}

  absl::Status ReadHeader();
  absl::Status ReadSegments();
  absl::Status ReadDynamic();
  absl::Status CountSymbols(uint64_t gnu_hash, uint64_t hash);
  absl::Status Damaged(std::string_view what) const;

  // Whether `size` bytes are in the file from there on.
  bool Holds(uint64_t offset, uint64_t size) const {
    return offset <= bytes_.size() && size <= bytes_.size() - offset;
  }
  // A copy, since nothing in a file need be aligned; false behind the file's end.
  template <typename T>
  bool Read(uint64_t offset, T& value) const;
  // The place in the file of the bytes that the loader puts at an address; false where there are fewer than `size`.
  bool OffsetOf(uint64_t address, uint64_t size, uint64_t& offset) const;
  // Ends at a zero byte within the table of names; false where there is none.
  bool Name(uint64_t at, std::string_view& name) const;

  std::string_view bytes_;
  std::string name_;
  std::shared_ptr<const tensor_files::MappedFile> mapped_;  // whose bytes they are, if any's
  std::vector<Elf64_Phdr> loaded_;
  Elf64_Phdr dynamic_ = {};
  std::string_view names_;       // the table of names
  uint64_t symbols_offset_ = 0;  // of the table of symbols in the file
  uint64_t symbols_ = 0;
  std::string soname_;
  std::vector<std::string> needed_;
  int64_t init_functions_ = 0;
};

}  // namespace assay::kernel

#endif  // ASSAY_TOOLS_KERNEL_ELF_FILE_H_
