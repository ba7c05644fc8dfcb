// -----------------------------------------------------------------------------
// File: root_files.h
// -----------------------------------------------------------------------------
//
// Reads the small text files in which Linux describes the machine, under a root that a test can
// replace.
//
// Not for the meaning of the figures: machine.h and facts/ have that.
//
//   ReadLine("/", "sys/devices/system/cpu/smt/active");               // "0"
//   LineValue(ReadFile("/", "proc/meminfo"), "SwapTotal", ':');       // "0 kB"

#ifndef ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_ROOT_FILES_H_
#define ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_ROOT_FILES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace assay::environment {

// Empty where there is no such file.
std::string ReadFile(const std::string& root, std::string_view path);

// The same without blanks and newlines around it, and with ? for every byte that is not printable
// ASCII, since what is read here goes into tables and records.
std::string ReadLine(const std::string& root, std::string_view path);

// Absent if there is no such file or it holds anything but one integer.
std::optional<int64_t> ReadNumber(const std::string& root, std::string_view path);

// The content of sys/devices/system/cpu/cpu<N>/<path> for every CPU that has it, without empty
// ones.
std::vector<std::string> ReadOfEachCpu(const std::string& root, std::string_view path);

// Names in a folder, sorted; none where there is no such folder.
std::vector<std::string> NamesIn(const std::string& root, std::string_view folder);

// The rest of the first line that begins with `key`, without blanks around it.
std::string LineValue(const std::string& text, std::string_view key, char separator);

// The kernel's way to write a set of CPUs or nodes, "0-3,8", as numbers in ascending order. Empty
// for anything else.
std::vector<int> ParseCpuList(std::string_view list);

}  // namespace assay::environment

#endif  // ASSAY_BENCHMARKS_HARNESS_ENVIRONMENT_MACHINE_ROOT_FILES_H_
