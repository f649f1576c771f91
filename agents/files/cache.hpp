// The files that a peer has. Files that a task here needs, or that were promised to another peer,
// are pinned and stay; of the others the least recently used is evicted first.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "agents/files/content.hpp"

namespace rhizome::agents::files {

class Cache {
 public:
  struct Entry {
    FileRef file;
    Index index;
    std::uint64_t used = 0;  // a count that grows with every use
  };

  // `limit`: bytes of files that are not pinned; 0: unlimited.
  explicit Cache(std::uint64_t limit) : limit_(limit) {}

  [[nodiscard]] bool has(const Digest& name) const { return entries_.contains(name); }
  // Nothing if it is not here.
  [[nodiscard]] const Entry* use(const Digest& name) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return nullptr;
    found->second.used = ++uses_;
    return &found->second;
  }
  void put(const FileRef& file, Index index) {
    if (entries_.try_emplace(file.name, Entry{file, std::move(index), ++uses_}).second)
      bytes_ += file.size;
    trim();
  }
  void erase(const Digest& name) {
    const auto found = entries_.find(name);
    if (found == entries_.end()) return;
    bytes_ -= found->second.file.size;
    entries_.erase(found);
  }

  // Pins are counted: a file must be unpinned as often as it was pinned, whether it is here or yet
  // to come.
  void pin(const Digest& name) { ++pins_[name]; }
  void unpin(const Digest& name) {
    const auto found = pins_.find(name);
    if (found == pins_.end() || --found->second > 0) return;
    pins_.erase(found);
    trim();
  }
  [[nodiscard]] bool pinned(const Digest& name) const { return pins_.contains(name); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  void trim() {
    while (limit_ > 0 && bytes_ > limit_) {
      auto oldest = entries_.end();
      for (auto item = entries_.begin(); item != entries_.end(); ++item)
        if (!pinned(item->first) &&
            (oldest == entries_.end() || item->second.used < oldest->second.used))
          oldest = item;
      if (oldest == entries_.end()) return;
      bytes_ -= oldest->second.file.size;
      entries_.erase(oldest);
    }
  }

  std::uint64_t limit_;
  std::uint64_t bytes_ = 0;
  std::uint64_t uses_ = 0;
  std::map<Digest, Entry> entries_;
  std::map<Digest, std::uint32_t> pins_;
};

}  // namespace rhizome::agents::files
