// Options and suppressions of the sanitizers, linked into each program of --config=asan and --config=tsan
// (tools/common.bazelrc names this library as their malloc, which every program links). Each suppression says why.
//
// LibTorch's own libraries are not instrumented: what happens inside them is not seen, and memory
// and locks that cross their border can look wrong. A program that has options of its own keeps
// them: these are weak.

// The names are the sanitizers' own.
// NOLINTBEGIN(bugprone-reserved-identifier)
extern "C" {

[[gnu::weak]] const char* __asan_default_options() {
  // A std::vector that LibTorch grew has no annotations in its spare room; memory that is not there
  // is an error that the tests want to see handled.
  return "detect_container_overflow=0:allocator_may_return_null=1:detect_stack_use_after_return=1:"
         "strict_init_order=1";
}

[[gnu::weak]] const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }

[[gnu::weak]] const char* __lsan_default_suppressions() {
  return "leak:libtorch_cpu.so\n"  // registries that live as long as the process
         "leak:libc10.so\n"        // the same
         "leak:libgomp.so\n";      // its pool of threads
}

[[gnu::weak]] const char* __tsan_default_options() {
  // Only what was compiled with the sanitizer is known to synchronise.
  return "halt_on_error=1:allocator_may_return_null=1:ignore_noninstrumented_modules=1";
}

[[gnu::weak]] const char* __tsan_default_suppressions() {
  // Abseil's mutexes tell the sanitizer what they order; how they do it inside, it takes for a race.
  return "race:absl::*synchronization_internal\n"
         "race:libtorch_cpu.so\n"
         "race:libc10.so\n"
         "called_from_lib:libgomp.so\n";
}
}
// NOLINTEND(bugprone-reserved-identifier)
