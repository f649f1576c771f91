#include "core/engine/shared_control.hpp"

#include <utility>
#include <variant>

namespace rhizome::core {

namespace {

using RealTime = Control::RealTime;
using std::chrono::steady_clock;

constexpr std::chrono::milliseconds nap{10};

}  // namespace

SharedControl::SharedControl(Share share, Post& post, const EngineSetup& setup,
                             ControlOptions options)
    : share_(std::move(share)),
      post_(post),
      options_(options),
      gone_(share_.shares()),
      closed_(share_.shares()) {
  if (share_.number() == 0) coordinator_.emplace(share_.shares(), setup);
  closed_[share_.number()] = 0;
}

std::optional<RealTime> SharedControl::start(const std::string& failure) {
  const RealTime deadline = steady_clock::now() + options_.build_within;
  said_failure_ = !failure.empty();
  try {
    say(control::Built{failure});
    while (!start_ && !end_) {
      if (coordinator_) begin_once_built();
      hear_all(nap);
      if (!start_ && !end_ && steady_clock::now() > deadline)
        give_up({}, coordinator_ ? "these have not been built in time: " + coordinator_->missing()
                                 : "share 0 has given no order to start");
    }
  } catch (const ShareFailed& lost) {
    give_up({}, lost.what());
  }
  return end_ ? std::nullopt : start_;
}

auto SharedControl::clock() const -> ClockState {
  return {.gained = post_.clock_offset() - clock_at_start_, .bound = post_.clock_bound()};
}

void SharedControl::begin_once_built() {
  if (coordinator_->failed())
    coordinate({});
  else if (coordinator_->all_are_built())
    order(control::Start{(steady_clock::now() + options_.head_start).time_since_epoch()});
}

void SharedControl::count_out_the_gone() {
  for (std::uint32_t share = 0; share < share_.shares(); ++share) {
    if (gone_[share]) continue;
    const auto gone = post_.gone(share);
    if (!gone) continue;
    gone_[share] = true;
    if (share == 0 || !start_) throw ShareFailed(gone->why);
    if (!coordinator_) continue;
    coordinator_->lose(share);
    if (options_.end_on_loss) coordinator_->hear(0, control::Halt{});
  }
}

std::optional<End> SharedControl::look(const Sight& sight) {
  if (end_) return end_;
  try {
    tell(sight);
    hear_all({});
    if (coordinator_) coordinate(sight.now);
  } catch (const ShareFailed& lost) {
    give_up(sight.now, lost.what());
  }
  return end_;
}

// A question that came with the last look is answered with this one: a tally from before the
// question says nothing of the time after it.
void SharedControl::tell(const Sight& sight) {
  if (told_ != sight.tally) say(control::Told{*(told_ = sight.tally), ++tallies_});
  if (const auto question = std::exchange(question_, std::nullopt)) {
    confirmed_ = sight.tally.all_finished() ? question : std::nullopt;
    say(control::Answer{*question, sight.tally, ++tallies_});
  }
  if (sight.stop && !std::exchange(said_stop_, true)) say(control::Halt{});
  if (!sight.failure.empty() && !std::exchange(said_failure_, true))
    say(control::Halt{sight.failure});
}

void SharedControl::coordinate(Time now) {
  if (const auto told = coordinator_->look(now)) order(*told);
}

std::uint64_t SharedControl::close(std::span<const std::uint64_t> handed_over) {
  const RealTime deadline = steady_clock::now() + options_.close_within;
  if (!std::exchange(said_closed_, true)) tell_border(handed_over);
  for (;;) {
    hear_all({});
    std::uint64_t coming = 0;
    std::optional<std::uint32_t> open;
    for (std::uint32_t share = 0; share < share_.shares(); ++share) {
      const auto from_it = coming_from(share);
      if (!from_it) open = share;
      coming += from_it.value_or(0);
    }
    if (!open) return coming;
    if (steady_clock::now() > deadline)
      throw ShareFailed("share " + std::to_string(*open) + " does not come to its end");
    hear_all(nap);
  }
}

// Nothing more comes from a share that is gone, whatever it has said.
std::optional<std::uint64_t> SharedControl::coming_from(std::uint32_t share) const {
  if (const auto gone = post_.gone(share)) return gone->came_from;
  return closed_[share];
}

void SharedControl::abandon(std::span<const std::uint64_t> handed_over) {
  try {
    tell_border(handed_over);
  } catch (const ShareFailed&) {  // the run has failed already
  }
}

// Tells every share that can be reached, even if others cannot: it waits for this message.
void SharedControl::tell_border(std::span<const std::uint64_t> handed_over) {
  std::optional<ShareFailed> first;
  for (std::uint32_t to = 0; to < share_.shares(); ++to) {
    if (to == share_.number()) continue;
    try {
      post_.send(to, control::encode(control::Closed{handed_over[to]}));
    } catch (const ShareFailed& lost) {
      if (!first) first = lost;
    }
  }
  if (first) throw ShareFailed(*first);
}

bool SharedControl::listen(std::chrono::nanoseconds wait) {
  try {
    hear_all(wait);
    return true;
  } catch (const ShareFailed&) {
    return false;
  }
}

// Tells all shares that can still be reached.
void SharedControl::give_up(Time now, const std::string& why) {
  end_ = End{Ending::interrupted, now, why};
  const auto tell_share = [this](std::uint32_t to, const control::Message& message) {
    try {
      post_.send(to, control::encode(message));
    } catch (const ShareFailed&) {  // the share knows, or is lost
    }
  };
  if (!coordinator_) tell_share(0, control::Halt{why});
  for (std::uint32_t to = 1; coordinator_ && to < share_.shares(); ++to)
    tell_share(to, control::Ended{*end_});
}

void SharedControl::hear_all(std::chrono::nanoseconds wait) {
  count_out_the_gone();
  while (const auto letter = post_.receive(std::exchange(wait, std::chrono::nanoseconds{0}))) {
    if (letter->from >= share_.shares() || letter->from == share_.number())
      throw ShareFailed("a letter says that it is from share " + std::to_string(letter->from) +
                        ", which is no other share of the run");
    if (const auto message = control::decode(letter->message))
      hear(letter->from, *message);
    else
      throw ShareFailed("what share " + std::to_string(letter->from) + " says cannot be read");
  }
}

void SharedControl::say(const control::Message& message) {
  if (coordinator_)
    coordinator_->hear(0, message);
  else
    post_.send(0, control::encode(message));
}

void SharedControl::order(const control::Message& message) {
  for (std::uint32_t to = 1; to < share_.shares(); ++to) post_.send(to, control::encode(message));
  hear(0, message);
}

void SharedControl::hear(std::uint32_t from, const control::Message& message) {
  if (coordinator_) coordinator_->hear(from, message);
  std::visit([&](const auto& said) { on(from, said); }, message);
}

void SharedControl::on(std::uint32_t from, const control::Start& start) {
  if (from != 0) return;
  clock_at_start_ = post_.clock_offset();
  start_ = RealTime(std::chrono::duration_cast<RealTime::duration>(start.origin)) + clock_at_start_;
}

void SharedControl::on(std::uint32_t from, const control::Question& question) {
  if (from != 0) return;
  question_ = question.number;
}

void SharedControl::on(std::uint32_t from, const control::GoOn& order) {
  if (from == 0 && confirmed_ && *confirmed_ <= order.question) confirmed_.reset();
}

void SharedControl::on(std::uint32_t from, const control::Ended& ended) {
  if (from != 0) return;
  end_ = ended.end;
}

void SharedControl::on(std::uint32_t from, const control::Closed& closed) {
  closed_[from] = closed.handed_over;
}

void SharedControl::on(std::uint32_t from, const control::Aside& aside) {
  if (listener_) listener_(from, aside.said);
}

}  // namespace rhizome::core
