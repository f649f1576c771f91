#include "core/peer/fact_log.hpp"

#include <utility>

namespace rhizome::core {

namespace {

// Most peers note a few facts, and some note millions.
constexpr std::size_t first_chunk = 256;
constexpr std::size_t largest_chunk = std::size_t{32} << 10U;

template <class T>
void put(std::byte*& to, const T& value) {
  std::memcpy(to, &value, sizeof(T));
  to += sizeof(T);
}

template <class T>
void get(const std::byte*& from, T& value) {
  std::memcpy(&value, from, sizeof(T));
  from += sizeof(T);
}

}  // namespace

// Deletes one by one: recursion over a long chain of chunks could exhaust the stack.
FactLog::~FactLog() {
  for (const Chunk* chunk = first_; chunk != nullptr;)
    delete std::exchange(chunk, chunk->next.load(std::memory_order_relaxed));
}

void FactLog::append(const FactLog& other) {
  other.for_each([this](Time at, const EncodedFact& fact) { add(at, fact); });
}

void FactLog::swap(FactLog& other) noexcept {
  std::swap(first_, other.first_);
  std::swap(last_, other.last_);
  kinds_.swap(other.kinds_);
  const std::size_t mine = size_.load(std::memory_order_relaxed);
  size_.store(other.size_.load(std::memory_order_relaxed), std::memory_order_relaxed);
  other.size_.store(mine, std::memory_order_relaxed);
}

std::byte* FactLog::claim(std::size_t bytes) {
  if (last_ == nullptr || last_->room - last_->used < bytes) {
    const std::size_t room =
        last_ == nullptr ? first_chunk : std::min(2 * last_->room, largest_chunk);
    auto* next = new Chunk(std::max(room, bytes));
    if (last_ == nullptr)
      first_ = next;
    else
      last_->next.store(next, std::memory_order_release);
    last_ = next;
  }
  std::byte* place = last_->bytes.get() + last_->used;
  last_->used += bytes;
  return place;
}

void FactLog::add(Time at, const EncodedFact& fact) {
  std::byte* to = claim(head_bytes + fact.payload.size());
  put(to, at);
  put(to, fact.info);
  put(to, static_cast<std::uint32_t>(fact.payload.size()));
  if (!fact.payload.empty()) std::memcpy(to, fact.payload.data(), fact.payload.size());
  const auto known = std::find_if(kinds_.begin(), kinds_.end(),
                                  [&fact](const Kind& kind) { return kind.info == fact.info; });
  ++(known != kinds_.end() ? *known : kinds_.emplace_back(Kind{fact.info, 0})).facts;
  size_.store(size_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// A chunk with a next one is full, and `used` tells where its facts end. A chunk without a next
// one, as this thread sees it, has the fact: the first fact of a next chunk is counted only after
// that chunk is linked.
auto FactLog::take(Cursor& cursor, std::span<const std::byte>& payload) const -> Head {
  if (cursor.chunk_ == nullptr) cursor.chunk_ = first_;
  const Chunk* next = cursor.chunk_->next.load(std::memory_order_acquire);
  if (next != nullptr && cursor.at_ == cursor.chunk_->used) {
    cursor.chunk_ = next;
    cursor.at_ = 0;
  }
  const std::byte* from = cursor.chunk_->bytes.get() + cursor.at_;
  Head head{};
  get(from, head.at);
  get(from, head.info);
  get(from, head.size);
  payload = {from, head.size};
  cursor.at_ += head_bytes + head.size;
  ++cursor.count_;
  return head;
}

}  // namespace rhizome::core
