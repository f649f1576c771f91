#include "core/mesh/send_queue.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include "core/mesh/frame.hpp"

namespace rhizome::core {

// Messages left from a former run, which has failed, are dropped.
void SendQueue::begin(std::uint32_t run) {
  const std::scoped_lock lock(mutex_);
  run_ = run;
  packets_ = 0;
  burdens_ = {};
  waiting_ = 0;
  batches_.clear();
}

std::optional<Drop> SendQueue::put(const PacketHeader& header, std::span<const std::byte> payload) {
  if (payload.size() > longest_payload) return Drop::oversized;
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return Drop::machine;
    if (waiting_ >= most_) return Drop::congested;
    Bytes& batch = open_batch();
    const std::size_t before = batch.size();
    put_record(batch, header, payload);
    waiting_ += batch.size() - before;
    ++packets_;
    burdens_[static_cast<std::size_t>(header.message_class)] +=
        {.messages = 1, .bytes = header_bytes + payload.size(), .units = header.units};
  }
  bell_.ring();
  return {};
}

void SendQueue::begins(const NewLife& news) {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return;
    Bytes& batch = open_batch();
    const std::size_t before = batch.size();
    put_record(batch, news);
    waiting_ += batch.size() - before;
  }
  bell_.ring();
}

Bytes& SendQueue::open_batch() {
  if (batches_.empty() || batches_.back().size() >= full_batch) {
    batches_.push_back(head_of(LinkFrame::Kind::batch, run_));
    waiting_ += frame_head;
  }
  return batches_.back();
}

void SendQueue::say(Bytes frame) {
  {
    const std::scoped_lock lock(mutex_);
    if (closed_) return;
    said_.push_back(std::move(frame));
  }
  bell_.ring();
}

void SendQueue::close() {
  const std::scoped_lock lock(mutex_);
  closed_ = true;
  waiting_ = 0;
  batches_.clear();
  said_.clear();
}

std::uint64_t SendQueue::packets() const {
  const std::scoped_lock lock(mutex_);
  return packets_;
}

BurdensByClass SendQueue::burdens() const {
  const std::scoped_lock lock(mutex_);
  return burdens_;
}

std::optional<Bytes> SendQueue::next() {
  const std::scoped_lock lock(mutex_);
  std::deque<Bytes>& from = said_.empty() ? batches_ : said_;
  if (from.empty()) return {};
  Bytes frame = std::move(from.front());
  from.pop_front();
  if (&from == &batches_) waiting_ -= frame.size();
  return frame;
}

bool SendQueue::empty() const {
  const std::scoped_lock lock(mutex_);
  return said_.empty() && batches_.empty();
}

Bell::Bell() : descriptor_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  if (descriptor_ < 0)
    throw std::system_error(errno, std::generic_category(), "the system refused a descriptor");
}

Bell::~Bell() { close(descriptor_); }

void Bell::wake() const {
  const std::uint64_t once = 1;
  static_cast<void>(!write(descriptor_, &once, sizeof(once)));
}

void Bell::get_up() {
  asleep_.store(false);
  std::uint64_t rung = 0;
  static_cast<void>(!read(descriptor_, &rung, sizeof(rung)));
}

}  // namespace rhizome::core
