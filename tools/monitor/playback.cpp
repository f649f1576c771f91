#include "tools/monitor/playback.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <thread>
#include <utility>
#include <variant>

#include "tools/monitor/recorded_story.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

using namespace std::chrono_literals;

}  // namespace

Playback::Playback(std::filesystem::path file, std::filesystem::path directory)
    : file_(std::move(file)), directory_(std::move(directory)), recording_(file_) {
  next_ = recording_.next();
  static_cast<void>(step());
}

bool Playback::step() {
  while (next_) {
    at_ = std::max(at_, next_->at);
    if (take_next()) return true;
  }
  return false;
}

bool Playback::take_next() {
  live::Recorded told = std::move(*next_);
  next_ = recording_.next();
  return take(std::move(told));
}

// Returns whether the state shown has changed. A full frame that repeats the known state is only
// for readers that start there.
bool Playback::take(live::Recorded&& told) {
  if (auto* frame = std::get_if<live::Frame>(&told.answer)) {
    if (told.whole && frame->number == known_.state.frame().number) return false;
    const auto plan = plans_.find(frame->run.number);
    if (plan != plans_.end() && (!known_.plan || known_.plan->run != plan->first))
      known_.plan = plan->second;
    return known_.take(*frame);
  }
  if (auto* plan = std::get_if<live::Plan>(&told.answer)) {
    const std::uint32_t run = plan->run;
    known_.take(std::move(*plan));
    plans_[run] = known_.plan;
    return false;
  }
  if (std::holds_alternative<live::FoundFacts>(told.answer)) return false;  // answers to requests
  std::visit(
      [this]<class Said>(Said& said) {
        if constexpr (requires { known_.take(std::move(said)); })
          static_cast<void>(known_.take(std::move(said)));
      },
      told.answer);
  return false;
}

bool Playback::wait(std::chrono::milliseconds most) {
  const auto began = std::chrono::steady_clock::now();
  std::this_thread::sleep_for(most);
  if (paused_ || !next_) return false;
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - began;
  at_ = std::min(at_ + std::chrono::duration_cast<core::Duration>(passed * speed_),
                 std::max(recording_.length(), next_->at));
  bool changed = false;
  while (next_ && next_->at <= at_)
    if (take_next()) changed = true;
  return changed || !next_;
}

// Reads from one full frame before the last one, so that rates and events are known too.
void Playback::go_to(core::Duration at) {
  at_ = std::clamp(at, core::Duration::zero(), recording_.length());
  known_.state = {};
  recording_.seek(at_ - live::RecordingWriter::between_wholes);
  next_ = recording_.next();
  while (next_ && (next_->at <= at_ || known_.state.empty())) static_cast<void>(take_next());
}

std::string Playback::standing() const {
  const std::string where =
      fmt::format("{:.1f} of {:.1f} s", core::seconds(at_), core::seconds(recording_.length()));
  if (!next_)
    return where + (recording_.is_cut_off() ? ", cut off here" : ", end of the recording");
  return fmt::format("{}, {}", where, paused_ ? "paused" : fmt::format("replayed x{:.4g}", speed_));
}

void Playback::go_by(Wish::Kind wish) {
  using Kind = Wish::Kind;
  if (wish == Kind::frame_on) {
    paused_ = true;
    static_cast<void>(step());
    return;
  }
  if (wish == Kind::oldest) return go_to(0s);
  if (wish == Kind::live) return go_to(recording_.length());
  if (wish == Kind::frame_back) paused_ = true;
  go_to(at_ + (wish == Kind::second_on ? 1s : wish == Kind::frame_back ? -100ms : -1000ms));
}

std::string Playback::change_speed(double factor) {
  const double speed = speed_ * factor;
  if (speed < 1.0 / 16 || speed > 1024) return "a recording goes at x0.0625 to x1024";
  speed_ = speed;
  return "";
}

// Searches the whole recording, so the story includes later facts too.
void Playback::tell_story(const live::Story& story) {
  live::Story of_run = story;
  of_run.run = known_.state.frame().run.number;
  known_.take(recorded_story(file_, of_run, known_.welcome.fact_kinds));
}

std::string Playback::grant(Wish::Kind wish, const View& view) {
  using Kind = Wish::Kind;
  switch (wish) {
    case Kind::second_back:
    case Kind::second_on:
    case Kind::frame_back:
    case Kind::frame_on:
    case Kind::oldest:
    case Kind::live:
      go_by(wish);
      return "";
    case Kind::pause:
      paused_ = !paused_;
      return "";
    case Kind::faster:
      return change_speed(2);
    case Kind::slower:
      return change_speed(0.5);
    case Kind::story:
      tell_story(story_of(view));
      return "";
    case Kind::run_before:
    case Kind::run_after:
    case Kind::newest_run:
    case Kind::this_run:
      return "a recording shows the runs that were watched: left and right go to them";
    case Kind::crash:
    case Kind::leave_run:
    case Kind::restart:
    case Kind::cut_off:
    case Kind::heal:
      return "nobody can change what a recording has seen";
    case Kind::nothing:
    case Kind::leave:
      return "";
  }
  return "";
}

}  // namespace rhizome::tools
