// How much a test does where everything takes ten times as long.
#pragma once

#include <cstdint>

namespace rhizome::test {

// The number of seeds to try: all, but an eighth of them under a sanitizer, which looks for errors
// that hardly depend on seeds.
constexpr std::uint32_t seeds(std::uint32_t all) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return (all + 7) / 8;
#else
  return all;
#endif
}

}  // namespace rhizome::test
