// The one main of the doctest executables, and the one place that knows where the repository is: so
// that a test compiles alike in every checkout.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include "test/support/temporary_file.hpp"

namespace rhizome::test {

std::string shipped(std::string_view path) {
  return std::string(RHIZOME_SOURCE_DIR) + "/" + std::string(path);
}

}  // namespace rhizome::test
