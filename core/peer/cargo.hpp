// Cargo: the files that a piece of work needs before it may begin or be passed on, and the output
// that it leaves. Files are named by their content, so that equal ones are never brought twice. A
// service beside the others (agents/files) brings them, and stands between these and the engine.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "core/peer/fields.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::core {

// A SHA-256.
using Digest = std::array<std::uint64_t, 4>;

// A file: the peer that always has it, and the seed from which its bytes are made where they are
// needed, so that an emulator need not hold them once for each peer that has the file.
struct FileRef {
  Digest name{};
  std::uint64_t size = 0;     // in bytes
  std::uint64_t content = 0;  // the seed of its bytes
  PeerId home{};
};

struct Cargo {
  std::uint64_t subject = 0;  // the task's number
  std::vector<FileRef> inputs{};
  std::uint64_t output = 0;  // bytes that the work leaves; 0: none
  PeerId client{};           // the peer that is to have the output
};

// Work with cargo is at this peer now; `from` had it before. A signal.
struct CargoCame {
  PeerId from;
  Cargo cargo;
};

class Recipe;

// Calls f with the cargo of every recipe in a message.
template <class T, class F>
void each_cargo(const T& said, F f) {
  if constexpr (std::is_same_v<T, Recipe>) {
    if (said.cargo() != nullptr) f(*said.cargo());
  } else if constexpr (requires { said.has_value(); }) {
    if (said.has_value()) each_cargo(*said, f);
  } else if constexpr (requires { said.begin(); }) {
    if constexpr (std::is_class_v<typename T::value_type>)
      for (const auto& item : said) each_cargo(item, f);
  } else if constexpr (std::is_aggregate_v<T>) {
    with_fields(said, [&f](const auto&... field) { (each_cargo(field, f), ...); });
  }
}

}  // namespace rhizome::core
