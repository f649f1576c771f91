// The facts of one peer in the order in which they were noted, encoded: a run of a million tasks
// notes many millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/fact.hpp"

namespace rhizome::core {

class FactLog {
 public:
  void add(Time at, const EncodedFact& fact);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }

  // Calls f(at, fact) for each.
  template <class F>
  void for_each(F&& f) const {
    std::span<const std::byte> rest = payloads_;
    for (const Entry& entry : entries_) {
      f(entry.at, EncodedFact{kinds_[entry.kind], rest.first(entry.size)});
      rest = rest.subspan(entry.size);
    }
  }

 private:
  struct Entry {
    Time at;
    std::uint32_t kind;  // its place in the list below
    std::uint32_t size;  // of its payload
  };

  std::vector<Entry> entries_;
  Bytes payloads_;                      // one behind the other
  std::vector<const FactInfo*> kinds_;  // few, so that one is found by looking through them
};

}  // namespace rhizome::core
