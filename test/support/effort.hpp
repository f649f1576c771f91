// How much a test does where everything takes ten times as long.
#pragma once

#include <cstdint>

namespace rhizome::test {

// So many seeds; under a sanitizer, which looks at memory and not at luck, an eighth of them.
constexpr std::uint32_t seeds(std::uint32_t all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (all + 7) / 8;
#else
  return all;
#endif
}

}  // namespace rhizome::test
