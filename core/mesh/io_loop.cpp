#include "core/mesh/io_loop.hpp"

#include <algorithm>
#include <utility>

namespace rhizome::core {

namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::uint32_t first_pings = 64;    // to process 0, to know its clock before a run
constexpr milliseconds first_pause{3};       // between those
constexpr milliseconds pause{200};           // between all others, which are signs of life
constexpr milliseconds asleep{1000};         // no loop takes so long unless this process stood
constexpr milliseconds until_read{50};       // what a broken connection had brought before
constexpr milliseconds until_settled{1500};  // time to find out which of two is lost
constexpr int at_a_time = 64;                // frames, before the next link has its turn
constexpr std::chrono::nanoseconds longest_trip{std::chrono::hours(1)};

ClockTime clock_time(steady_clock::time_point at) { return at.time_since_epoch(); }

}  // namespace

IoLoop::IoLoop(Options options, std::unique_ptr<Admission> admission,
               std::vector<std::unique_ptr<Wire>> wires, SendQueues& send_queues,
               Destinations& arrivals)
    : options_(options),
      admission_(std::move(admission)),
      send_queues_(send_queues),
      arrivals_(arrivals) {
  for (auto& wire : wires)
    links_.push_back({.process = static_cast<std::uint32_t>(links_.size()),
                      .wire = std::move(wire),
                      .heard = awake_});
}

void IoLoop::run() {
  std::optional<Clock::time_point> last;
  for (;;) {
    beat(Clock::now());
    const bool more = send_all();
    if (ending_) {
      if (!last) last = Clock::now() + options_.leave_within;
      if (all_have_heard() || Clock::now() > *last) return;
    }
    wait(more);
    receive_all();
  }
}

// Called before the answers to the bye can come.
void IoLoop::end() {
  ending_ = true;
  for (std::uint32_t to = 0; to < send_queues_.to.size(); ++to)
    if (to != options_.rank) send_queues_.to[to].say(frame_of(LinkFrame::Kind::bye, 0));
  send_queues_.bell.ring();
}

// A process that stood still has not listened, so it takes no other for lost in that time.
void IoLoop::beat(Clock::time_point now) {
  const auto stood = now - std::exchange(awake_, now);
  if (stood > options_.dead_after) {
    stood_ = stood;
    woke_ = now;
  }
  for (Link& link : links_) {
    if (stood > asleep) link.heard += stood;
    if (link.wire == nullptr) continue;
    if (now >= link.next_ping) ping(link, now);
    look_after(link, now);
  }
  settle_disputes(now);
}

void IoLoop::settle_disputes(Clock::time_point now) {
  std::erase_if(disputes_, [&](const Dispute& dispute) {
    const auto is_lost = [this](std::uint32_t process) {
      return arrivals_.mailbox.loss_of(process).has_value();
    };
    if (is_lost(dispute.lower) || is_lost(dispute.higher)) return true;
    if (now < dispute.since + until_settled) return false;
    give_up(dispute.higher, "another process could not reach it");
    return true;
  });
}

void IoLoop::ping(Link& link, Clock::time_point now) {
  const bool sets_clock = link.process == 0 && link.pings < first_pings;
  link.next_ping = now + (sets_clock && link.up ? first_pause : pause);
  static_cast<void>(link.wire->send(ping_of(clock_time(Clock::now()))));
}

void IoLoop::look_after(Link& link, Clock::time_point now) {
  std::uint64_t strangers = 0;
  if (!link.wire->holds(strangers) && !link.broken) link.broken = now;
  strangers_ += strangers;
  if (link.broken && now > *link.broken + until_read) {
    if (link.leaves)
      close_left(link);
    else
      fail(link, "its connection broke");
  } else if (link.up && now - link.heard > options_.dead_after) {
    const auto seconds = std::chrono::duration<double>(options_.dead_after).count();
    fail(link, "nothing was heard of it for " + std::to_string(seconds).substr(0, 4) + " s");
  }
}

bool IoLoop::send_all() {
  bool all = true;
  for (Link& link : links_)
    if (link.wire != nullptr) all = send_some(link) && all;
  send_queues_.bell.lie_down();
  return !all;
}

bool IoLoop::send_some(Link& link) {
  for (int frames = 0; frames < at_a_time; ++frames) {
    if (!link.waiting) link.waiting = send_queues_.to[link.process].next();
    if (!link.waiting) return true;
    if (!link.wire->send(*link.waiting)) return true;  // the poll tells when it can be
    link.waiting.reset();
  }
  return false;
}

// A process that never came up does not listen.
bool IoLoop::all_have_heard() const {
  return std::all_of(links_.begin(), links_.end(), [](const Link& link) {
    return link.wire == nullptr || !link.up || link.has_heard;
  });
}

void IoLoop::wait(bool at_once) {
  std::vector<zmq::pollitem_t> items{{nullptr, send_queues_.bell.descriptor(), ZMQ_POLLIN, 0},
                                     admission_->to_poll()};
  auto next = awake_ + pause;
  for (Link& link : links_) {
    if (link.wire == nullptr) continue;
    items.push_back(link.wire->to_poll(link.waiting.has_value()));
    items.push_back(link.wire->to_poll_fate());
    next = std::min(next, link.next_ping);
    if (link.broken) next = std::min(next, *link.broken + until_read);
    at_once = at_once || (!link.waiting && !send_queues_.to[link.process].empty());
  }
  const auto left = std::chrono::ceil<milliseconds>(next - Clock::now());
  try {
    zmq::poll(items, at_once ? milliseconds(0) : std::max(left, milliseconds(0)));
  } catch (const zmq::error_t&) {  // interrupted by a signal
  }
  send_queues_.bell.get_up();
}

void IoLoop::receive_all() {
  admission_->answer();
  for (Link& link : links_)
    if (link.wire != nullptr) receive(link);
}

void IoLoop::receive(Link& link) {
  for (int frames = 0; frames < at_a_time && link.wire != nullptr; ++frames) {
    const auto bytes = link.wire->receive();
    if (!bytes) return;
    link.heard = Clock::now();
    if (!std::exchange(link.up, true)) arrivals_.mailbox.came_up(link.process);
    const auto frame = read_frame(*bytes);
    if (!frame || !take(link, *frame)) fail(link, "it said what cannot be read");
  }
}

bool IoLoop::take(Link& link, const LinkFrame& frame) {
  using Kind = LinkFrame::Kind;
  switch (frame.kind) {
    case Kind::batch:
      return arrivals_.entrance.take(link.process, frame.number, frame.body);
    case Kind::letter:
      arrivals_.mailbox.put_letter(frame.number, link.process, frame.body);
      return true;
    case Kind::parcel:
      arrivals_.mailbox.put_piece(link.process, frame.body, frame.number != 0);
      return true;
    case Kind::ping:
      return take_ping(link, frame);
    case Kind::pong:
      return take_pong(link, frame);
    case Kind::broken:
      if (options_.rank != 0 || frame.number >= links_.size()) return false;
      disputes_.push_back(
          {std::min(frame.number, link.process), std::max(frame.number, link.process), link.heard});
      return true;
    case Kind::without:
      if (link.process != 0 || frame.number >= links_.size()) return false;
      if (frame.number == options_.rank)
        be_given_up("process 0 could not count on this one any more");
      else
        give_up(frame.number, "process 0 does not count on it any more");
      return true;
    case Kind::ready:
      return take_ready(link, frame);
    case Kind::bye:
      take_bye(link);
      return true;
    case Kind::heard:
      link.has_heard = true;
      return ending_;
  }
  return false;
}

bool IoLoop::take_ping(Link& link, const LinkFrame& frame) {
  const auto sent = read_ping(frame);
  if (!sent) return false;
  static_cast<void>(
      link.wire->send(pong_of({*sent, clock_time(link.heard), clock_time(Clock::now())})));
  return true;
}

// Times that no honest clock has are as good as no answer.
bool IoLoop::take_pong(Link& link, const LinkFrame& frame) {
  const auto times = read_pong(frame);
  if (!times) return false;
  const auto& [sent, received, answered] = *times;
  const ClockTime came = clock_time(link.heard);
  constexpr ClockTime latest = ClockTime::max() / 4;
  const bool plausible = sent <= came && sent >= came - longest_trip && received >= -latest &&
                         received <= answered && answered <= latest;
  if (!plausible) return false;
  ++link.pings;
  if (link.process == 0) arrivals_.mailbox.put_ping({sent, received, answered, came});
  return true;
}

bool IoLoop::take_ready(const Link& link, const LinkFrame& frame) {
  const auto bound = read_ready(frame);
  if (!bound || options_.rank != 0) return false;
  arrivals_.mailbox.put_ready(link.process, *bound);
  return true;
}

// A connection that is closed loses what its other end has not read yet: a process that leaves
// waits for this answer.
void IoLoop::take_bye(Link& link) {
  link.leaves = true;
  arrivals_.mailbox.put_left(link.process);
  send_queues_.to[link.process].say(frame_of(LinkFrame::Kind::heard, 0));
}

// No process goes on without process 0, even if that has said goodbye.
void IoLoop::close_left(Link& link) {
  link.wire.reset();
  send_queues_.to[link.process].close();
  if (link.process == 0)
    arrivals_.mailbox.put_loss(
        {.process = 0, .why = "it has left", .last_heard = link.heard, .noticed = Clock::now()});
}

// If two processes cannot reach each other, process 0 decides which one is given up.
void IoLoop::fail(Link& link, const std::string& why) {
  if (options_.rank == 0) {
    give_up(link.process, why);
  } else if (link.process == 0) {
    be_given_up(stood_ > Clock::duration::zero() && Clock::now() - woke_ < options_.dead_after
                    ? "it stood still for " +
                          std::to_string(std::chrono::ceil<std::chrono::seconds>(stood_).count()) +
                          " s, in which process 0 gave it up or was lost: " + why
                    : "process 0 is lost: " + why);
  } else {
    link.wire.reset();
    send_queues_.to[link.process].close();
    send_queues_.to[0].say(frame_of(LinkFrame::Kind::broken, link.process));
  }
}

void IoLoop::give_up(std::uint32_t process, const std::string& why) {
  if (process == 0 || process == options_.rank || arrivals_.mailbox.loss_of(process)) return;
  Link& lost = links_[process];
  send_queues_.to[process].close();
  for (Link& link : links_)
    if (options_.rank == 0 && link.wire != nullptr && link.process != process)
      send_queues_.to[link.process].say(frame_of(LinkFrame::Kind::without, process));
  if (options_.rank == 0 && lost.wire != nullptr)
    static_cast<void>(lost.wire->send(frame_of(LinkFrame::Kind::without, process)));
  lost.wire.reset();
  lost.waiting.reset();
  arrivals_.mailbox.put_loss(
      {.process = process, .why = why, .last_heard = lost.heard, .noticed = Clock::now()});
}

void IoLoop::be_given_up(const std::string& why) {
  const auto heard = links_.front().heard;
  for (Link& link : links_) {
    send_queues_.to[link.process].close();
    link.wire.reset();
  }
  if (!arrivals_.mailbox.loss_of(0))
    arrivals_.mailbox.put_loss(
        {.process = 0, .why = why, .last_heard = heard, .noticed = Clock::now()});
}

}  // namespace rhizome::core
