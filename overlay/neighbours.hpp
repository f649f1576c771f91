// The neighbours of one peer as a range of addresses: a list, or all other peers, which takes no
// memory. Also draws a few of them at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/peer/ids.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::overlay {

using core::PeerId;

// A view: a list must outlive it.
class Neighbours {
 public:
  class Iterator;

  explicit Neighbours(std::span<const PeerId> list) : list_(list.data()), size_(list.size()) {}
  explicit Neighbours(std::vector<PeerId>&&) = delete;
  // All peers from 0 to peers - 1 except `self`, which is one of them.
  [[nodiscard]] static Neighbours all_but(PeerId self, std::uint32_t peers) {
    Neighbours all{std::span<const PeerId>{}};
    all.self_ = self;
    all.size_ = peers - 1;
    return all;
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] PeerId operator[](std::size_t i) const {
    if (list_ != nullptr) return list_[i];
    const auto address = static_cast<std::uint32_t>(i);
    return PeerId{address < self_.value ? address : address + 1};
  }
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

 private:
  const PeerId* list_;  // null: all peers but self_
  std::size_t size_;
  PeerId self_;
};

class Neighbours::Iterator {
 public:
  using iterator_category = std::random_access_iterator_tag;
  using value_type = PeerId;
  using difference_type = std::ptrdiff_t;
  using pointer = const PeerId*;
  using reference = PeerId;

  Iterator(Neighbours of, std::size_t at) : of_(of), at_(at) {}
  PeerId operator*() const { return of_[at_]; }
  Iterator& operator++() { return *this += 1; }
  Iterator& operator--() { return *this += -1; }
  Iterator& operator+=(difference_type by) {
    at_ += static_cast<std::size_t>(by);
    return *this;
  }
  friend difference_type operator-(const Iterator& a, const Iterator& b) {
    return static_cast<difference_type>(a.at_ - b.at_);
  }
  friend bool operator==(const Iterator& a, const Iterator& b) { return a.at_ == b.at_; }

 private:
  Neighbours of_;
  std::size_t at_;
};

inline Neighbours::Iterator Neighbours::begin() const { return {*this, 0}; }
inline Neighbours::Iterator Neighbours::end() const { return {*this, size_}; }

// Draws neighbours at random, each of them once: a shuffle (Fisher and Yates) that stores only
// moved elements, so that drawing a few of ten thousand costs little.
class Drawing {
 public:
  Drawing(Neighbours from, core::Rng& rng) : from_(from), rng_(rng), left_(from.size()) {}

  // core::no_peer once all have been drawn.
  [[nodiscard]] PeerId next() {
    if (left_ == 0) return core::no_peer;
    const std::size_t drawn = rng_.below(left_--);
    const PeerId peer = from_[at(drawn)];
    moved_[drawn] = at(left_);
    return peer;
  }

 private:
  [[nodiscard]] std::size_t at(std::size_t place) const {
    const auto moved = moved_.find(place);
    return moved == moved_.end() ? place : moved->second;
  }

  Neighbours from_;
  core::Rng& rng_;
  std::size_t left_;
  std::unordered_map<std::size_t, std::size_t> moved_;  // by place; never iterated
};

}  // namespace rhizome::overlay
