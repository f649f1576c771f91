// The facts of one peer in the order in which it noted them, encoded: a run of a million tasks
// notes many millions. They are appended to chunks that never move, so that other threads can read
// them while more are added.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/peer/codec.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/prefetch.hpp"

namespace rhizome::core {

// One thread adds facts; any thread may read them as often as it likes, and no thread waits for
// another. No fact is lost on the way.
class FactLog {
  struct Chunk;
  // The head before the payload of each fact.
  struct Head {
    Time at;
    const FactInfo* info;
    std::uint32_t size;  // of the payload
  };
  static constexpr std::size_t head_bytes = sizeof(Time) + sizeof(void*) + sizeof(std::uint32_t);

 public:
  // How far a reader has read: at first, nothing. A cursor belongs to one log, and must not outlive
  // it.
  class Cursor {
   public:
    // Facts read.
    [[nodiscard]] std::size_t count() const { return count_; }

   private:
    friend class FactLog;
    const Chunk* chunk_ = nullptr;  // of the next fact, or of the one before it
    std::size_t at_ = 0;            // its place in the chunk
    std::size_t count_ = 0;
  };

  FactLog() = default;
  // For the writer, like all functions that change the log.
  FactLog(const FactLog& other) { append(other); }
  FactLog(FactLog&& other) noexcept { swap(other); }
  FactLog& operator=(FactLog other) noexcept {
    swap(other);
    return *this;
  }
  ~FactLog();
  void add(Time at, const EncodedFact& fact);

  // May be called from any thread.
  [[nodiscard]] std::size_t size() const { return size_.load(std::memory_order_acquire); }
  // From any thread: calls f(at, fact) for facts added since the cursor was here, at most `most`,
  // and returns how many there were. Payloads live as long as the log.
  template <class F>
  std::size_t read(Cursor& cursor, F&& f,
                   std::size_t most = std::numeric_limits<std::size_t>::max()) const;
  // How many facts of each type; for the writer.
  struct Kind {
    const FactInfo* info;
    std::size_t facts;
  };
  [[nodiscard]] std::span<const Kind> kinds() const { return kinds_; }
  // For the writer: prefetches for the next fact.
  void prefetch() const {
    if (last_ != nullptr) core::prefetch(last_->bytes.get() + last_->used, head_bytes);
  }

  // Calls f(at, fact) for all facts from the beginning.
  template <class F>
  void for_each(F&& f) const {
    Cursor cursor;
    read(cursor, f);
  }

 private:
  struct Chunk {
    explicit Chunk(std::size_t capacity)
        : bytes(std::make_unique_for_overwrite<std::byte[]>(capacity)), room(capacity) {}
    std::unique_ptr<std::byte[]> bytes;
    std::size_t room;
    std::size_t used = 0;               // the writer's until there is a next chunk, then final
    std::atomic<Chunk*> next{nullptr};  // released by the writer; owned by this
  };

  void append(const FactLog& other);
  void swap(FactLog& other) noexcept;
  // Memory for so many bytes.
  [[nodiscard]] std::byte* claim(std::size_t bytes);
  // The fact at a cursor that has not read all facts.
  [[nodiscard]] Head take(Cursor& cursor, std::span<const std::byte>& payload) const;

  Chunk* first_ = nullptr;   // set before there is a fact, and never again
  Chunk* last_ = nullptr;    // the writer's
  std::vector<Kind> kinds_;  // few, so that one is found by looking through them; the writer's
  // Each fact is there in full before it is counted.
  std::atomic<std::size_t> size_{0};
};

template <class F>
std::size_t FactLog::read(Cursor& cursor, F&& f, std::size_t most) const {
  const std::size_t count = std::min(size() - cursor.count_, most);
  for (std::size_t i = 0; i < count; ++i) {
    std::span<const std::byte> payload;
    const Head head = take(cursor, payload);
    f(head.at, EncodedFact{head.info, payload});
  }
  return count;
}

}  // namespace rhizome::core
