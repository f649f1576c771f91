// The facts of one peer in the order in which they were noted, encoded: a run of a million tasks
// notes many millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/prefetch.hpp"

namespace rhizome::core {

class FactLog {
 public:
  void add(Time at, const EncodedFact& fact);
  [[nodiscard]] std::size_t size() const { return size_; }
  // One is to be added.
  void prefetch() const { core::prefetch(log_.data() + log_.size(), sizeof(Head)); }

  // How many of each type.
  struct Kind {
    const FactInfo* info;
    std::size_t facts;
  };
  [[nodiscard]] std::span<const Kind> kinds() const { return kinds_; }

  // Calls f(at, fact) for each.
  template <class F>
  void for_each(F&& f) const {
    for (std::span<const std::byte> rest = log_; !rest.empty();) {
      Head head;
      std::memcpy(&head, rest.data(), sizeof(Head));
      f(head.at, EncodedFact{kinds_[head.kind].info, rest.subspan(sizeof(Head), head.size)});
      rest = rest.subspan(sizeof(Head) + head.size);
    }
  }

 private:
  struct Head {
    Time at{};
    std::uint32_t kind = 0;  // its place in the list below
    std::uint32_t size = 0;  // of its payload
  };

  Bytes log_;  // every head with its payload behind it: a fact is noted in one place of memory
  std::size_t size_ = 0;
  std::vector<Kind> kinds_;  // few, so that one is found by looking through them
};

}  // namespace rhizome::core
