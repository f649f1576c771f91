// The facts of one peer in the order in which they were noted, kept small: a run of a million tasks
// notes many millions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/peer/fact.hpp"
#include "core/peer/prefetch.hpp"

namespace rhizome::core {

// A peer says the same few words again and again: an entry refers to them by their number, which
// makes it half as large as a fact.
class FactLog {
 public:
  void add(Time at, const Fact& fact);
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] Time at(std::size_t i) const { return entries_[i].at; }
  [[nodiscard]] RecordedFact operator[](std::size_t i) const;
  void prefetch(std::size_t i) const { core::prefetch(&entries_[i], sizeof(Entry)); }

 private:
  using Words = std::pair<std::string_view, std::string_view>;  // a fact's name and reason
  struct Entry {
    Time at;
    std::uint64_t subject;
    double value;
    PeerId other;
    std::uint32_t words;
  };
  [[nodiscard]] std::uint32_t number_of(const Words& words);

  std::vector<Entry> entries_;
  std::vector<Words> words_;  // few, so that they are found by looking through them
};

}  // namespace rhizome::core
