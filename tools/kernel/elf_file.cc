#include "tools/kernel/elf_file.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace assay::kernel {
namespace {

#if defined(__x86_64__)
constexpr int kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr int kMachine = EM_AARCH64;
#else
#error "say here what e_machine this machine's programs have"
#endif

std::string MachineName(int machine) {
  switch (machine) {
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "64-bit ARM";
    case EM_386:
      return "32-bit x86";
    case EM_ARM:
      return "32-bit ARM";
    case EM_PPC64:
      return "64-bit PowerPC";
    case EM_RISCV:
      return "RISC-V";
    case EM_S390:
      return "IBM Z";
    default:
      return absl::StrCat("CPU number ", machine, " of ELF's list");
  }
}

// A file of many symbols whose names never end would be read for hours.
constexpr size_t kLongestName = 1 << 16;

// The kind of a file without ELF's first bytes.
std::string_view KindOf(std::string_view bytes) {
  if (bytes.empty()) return "the file is empty";
  if (absl::StartsWith(bytes, "!<arch>\n"))
    return "it is a static library (.a); link it into a shared one: g++ -shared";
  return "it is no shared library: it does not begin as an ELF file";
}

}  // namespace

template <typename T>
bool ElfFile::Read(uint64_t offset, T& value) const {
  if (!Holds(offset, sizeof value)) return false;
  std::memcpy(&value, bytes_.data() + offset, sizeof value);
  return true;
}

absl::Status ElfFile::Damaged(std::string_view what) const {
  return absl::InvalidArgumentError(absl::StrCat(name_, ": the library is damaged: ", what,
                                                 ", which ends outside of the file (",
                                                 bytes_.size(), " bytes); build or copy it again"));
}

absl::StatusOr<ElfFile> ElfFile::Open(const std::string& path) {
  absl::StatusOr<std::shared_ptr<const tensor_files::MappedFile>> mapped =
      tensor_files::MappedFile::Open(path);
  if (!mapped.ok()) return mapped.status();
  absl::StatusOr<ElfFile> file = Parse((*mapped)->bytes(), path);
  if (file.ok()) file->mapped_ = *std::move(mapped);
  return file;
}

absl::StatusOr<ElfFile> ElfFile::Parse(std::string_view bytes, std::string_view name) {
  ElfFile file(bytes, name);
  for (const auto step : {&ElfFile::ReadHeader, &ElfFile::ReadSegments, &ElfFile::ReadDynamic}) {
    if (absl::Status read = (file.*step)(); !read.ok()) return read;
  }
  return file;
}

absl::Status ElfFile::ReadHeader() {
  const auto refused = [this](const auto&... why) {
    return absl::InvalidArgumentError(absl::StrCat(name_, ": ", why...));
  };
  if (!absl::StartsWith(bytes_, std::string_view(ELFMAG, SELFMAG))) return refused(KindOf(bytes_));
  Elf64_Ehdr header;
  if (bytes_.size() <= EI_DATA) return Damaged("its first header");
  const auto data = static_cast<unsigned char>(bytes_[EI_DATA]);
  // Both are in the same place for 32 and 64 bits.
  Elf64_Half type = 0, machine = 0;
  if (!Read(offsetof(Elf64_Ehdr, e_type), type) || !Read(offsetof(Elf64_Ehdr, e_machine), machine))
    return Damaged("its first header");
  if (data != ELFDATA2LSB)
    return refused("it is built for another CPU, one with big-endian numbers");
  if (machine != kMachine || bytes_[EI_CLASS] != ELFCLASS64) {
    return refused("it is built for another CPU: ", MachineName(machine), ", and this machine has ",
                   MachineName(kMachine));
  }
  if (!Read(0, header)) return Damaged("its first header");
  if (type == ET_REL)
    return refused("it is an object file (.o); link it: g++ -shared -o libmine.so mine.o");
  if (type != ET_DYN) return refused("it is a program or a core dump, not a shared library");
  return absl::OkStatus();
}

absl::Status ElfFile::ReadSegments() {
  Elf64_Ehdr header;
  if (!Read(0, header)) return Damaged("its first header");
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!Read(header.e_phoff + i * sizeof segment, segment)) return Damaged("its list of segments");
    if (segment.p_type == PT_LOAD) {
      if (!Holds(segment.p_offset, segment.p_filesz)) return Damaged("a segment");
      loaded_.push_back(segment);
    }
    if (segment.p_type == PT_DYNAMIC) dynamic_ = segment;
  }
  if (dynamic_.p_type == PT_DYNAMIC) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat(name_, ": it has no dynamic segment, so nothing can be loaded from it"));
}

bool ElfFile::OffsetOf(uint64_t address, uint64_t size, uint64_t& offset) const {
  // The loader maps one over the other where they overlap.
  for (auto segment = loaded_.rbegin(); segment != loaded_.rend(); ++segment) {
    if (address < segment->p_vaddr || address - segment->p_vaddr > segment->p_filesz) continue;
    const uint64_t in = address - segment->p_vaddr;
    if (size > segment->p_filesz - in) continue;
    offset = segment->p_offset + in;
    return true;
  }
  return false;
}

bool ElfFile::Name(uint64_t at, std::string_view& name) const {
  if (at >= names_.size()) return false;
  name = names_.substr(at, kLongestName);
  const size_t end = name.find('\0');
  name = name.substr(0, end);
  return end != std::string_view::npos;
}

absl::Status ElfFile::ReadDynamic() {
  uint64_t names = 0, names_size = 0, symbols = 0, gnu_hash = 0, hash = 0, flags = 0, soname = 0;
  std::vector<uint64_t> needed;
  uint64_t offset = 0;
  if (!OffsetOf(dynamic_.p_vaddr, dynamic_.p_filesz, offset)) return Damaged("its dynamic segment");
  for (uint64_t read = 0; read + sizeof(Elf64_Dyn) <= dynamic_.p_filesz;
       read += sizeof(Elf64_Dyn)) {
    Elf64_Dyn entry;
    if (!Read(offset + read, entry)) return Damaged("its dynamic segment");
    const uint64_t value = entry.d_un.d_val;
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_STRTAB) names = value;
    if (entry.d_tag == DT_STRSZ) names_size = value;
    if (entry.d_tag == DT_SYMTAB) symbols = value;
    if (entry.d_tag == DT_GNU_HASH) gnu_hash = value;
    if (entry.d_tag == DT_HASH) hash = value;
    if (entry.d_tag == DT_FLAGS_1) flags = value;
    if (entry.d_tag == DT_SONAME) soname = value;
    if (entry.d_tag == DT_NEEDED) needed.push_back(value);
    if (entry.d_tag == DT_INIT_ARRAYSZ) init_functions_ = value / sizeof(Elf64_Addr);
  }
  if ((flags & DF_1_PIE) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(name_, ": it is a program, not a shared library; link it with -shared"));
  }
  if (!OffsetOf(names, names_size, offset)) return Damaged("its table of names");
  names_ = bytes_.substr(offset, names_size);
  std::string_view text;
  for (const uint64_t at : needed) {
    if (!Name(at, text)) return Damaged("the name of a library that it needs");
    needed_.emplace_back(text);
  }
  if (soname != 0 && !Name(soname, text)) return Damaged("its own name");
  if (soname != 0) soname_ = text;
  if (!OffsetOf(symbols, 0, symbols_offset_)) return Damaged("its table of symbols");
  return CountSymbols(gnu_hash, hash);
}

// Nothing says how many symbols there are: the loader finds each by a hash table, whose last chain ends with
// the last symbol.
absl::Status ElfFile::CountSymbols(uint64_t gnu_hash, uint64_t hash) {
  uint64_t offset = 0;
  if (hash != 0) {
    struct {
      uint32_t buckets, symbols;
    } table;
    if (!OffsetOf(hash, sizeof table, offset) || !Read(offset, table))
      return Damaged("its hash table");
    symbols_ = table.symbols;
  }
  if (gnu_hash != 0) {
    struct {
      uint32_t buckets, first, bloom_words, shift;
    } table;
    if (!OffsetOf(gnu_hash, sizeof table, offset) || !Read(offset, table))
      return Damaged("its hash table");
    const uint64_t buckets = offset + sizeof table + uint64_t{8} * table.bloom_words;
    if (!Holds(buckets, uint64_t{4} * table.buckets)) return Damaged("its hash table");
    uint32_t last = 0, start = 0;
    for (uint64_t i = 0; i < table.buckets; ++i) {
      if (Read(buckets + 4 * i, start)) last = std::max(last, start);
    }
    const uint64_t chains = buckets + uint64_t{4} * table.buckets;
    uint64_t end = last;
    for (uint32_t word = 0; last >= table.first && last != 0 && (word & 1) == 0; ++end) {
      if (!Read(chains + 4 * (end - table.first), word))
        return Damaged("a chain of its hash table");
    }
    symbols_ = std::max({symbols_, uint64_t{table.first}, end});
  }
  if (!Holds(symbols_offset_, symbols_ * sizeof(Elf64_Sym))) return Damaged("its table of symbols");
  for (uint64_t i = 0; i < symbols_; ++i) {
    Elf64_Sym symbol;
    std::string_view name;
    if (!Read(symbols_offset_ + i * sizeof symbol, symbol) || !Name(symbol.st_name, name))
      return Damaged("the name of a symbol");
  }
  return absl::OkStatus();
}

void ElfFile::ForEachSymbol(absl::FunctionRef<void(const ElfSymbol&)> visit) const {
  for (uint64_t i = 0; i < symbols_; ++i) {
    Elf64_Sym symbol;
    std::string_view name;
    if (!Read(symbols_offset_ + i * sizeof symbol, symbol) || !Name(symbol.st_name, name)) return;
    const int binding = ELF64_ST_BIND(symbol.st_info), type = ELF64_ST_TYPE(symbol.st_info);
    const int visibility = ELF64_ST_VISIBILITY(symbol.st_other);
    if (name.empty() || binding == STB_LOCAL || type == STT_SECTION || type == STT_FILE) continue;
    if (visibility == STV_HIDDEN || visibility == STV_INTERNAL) continue;
    visit({.name = name,
           .defined = symbol.st_shndx != SHN_UNDEF,
           .strong = binding == STB_GLOBAL,
           .function = type == STT_FUNC || type == STT_GNU_IFUNC});
  }
}

}  // namespace assay::kernel
