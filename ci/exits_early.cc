// Code under test that ends its process with 0 before there is a verdict: at the moment that MOMENT
// names: when the library is loaded, or in a function that the runner calls before it verifies. It
// leaves the shells around the runner alone.
#include <errno.h>  // program_invocation_short_name

#include <cstdlib>
#include <string_view>

namespace {

bool MomentIs(std::string_view moment) {
  const char* wanted = std::getenv("MOMENT");
  return wanted != nullptr && wanted == moment &&
         std::string_view(program_invocation_short_name) == "runner";
}

[[gnu::constructor]] void OnLoad() {
  if (MomentIs("load")) std::exit(0);
}

}  // namespace

extern "C" int mallopt(int, int) {
  if (MomentIs("exit")) std::exit(0);
  if (MomentIs("_exit")) std::_Exit(0);
  return 1;
}
