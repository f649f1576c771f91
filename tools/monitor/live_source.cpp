#include "tools/monitor/live_source.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tools/monitor/steering.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;

namespace {

using namespace std::chrono_literals;

// The run before or after the shown one, if there is one.
std::optional<std::uint32_t> neighbour(const live::Frame& frame, bool after) {
  const std::vector<std::uint32_t>& runs = frame.under_way;
  if (after) {
    const auto found = std::upper_bound(runs.begin(), runs.end(), frame.run.number);
    if (found == runs.end()) return {};
    return *found;
  }
  const auto found = std::lower_bound(runs.begin(), runs.end(), frame.run.number);
  if (found == runs.begin()) return {};
  return *std::prev(found);
}

}  // namespace

bool LiveSource::wait(std::chrono::milliseconds most) {
  if (ended_) {
    std::this_thread::sleep_for(most);
    return false;
  }
  attachment_.look_around();
  const Attachment::News news = attachment_.wait(most);
  if (news == Attachment::News::refused && wanted_) {  // it has ended meanwhile
    wanted_.reset();
    attachment_.turn_to(wanted_);
    attachment_.ask();
    return false;
  }
  return take(news);
}

bool LiveSource::take(Attachment::News news) {
  const std::string before = text_;
  ended_ = news >= Attachment::News::refused;
  if (news == Attachment::News::refused) text_ = attachment_.reason();
  if (news == Attachment::News::over) text_ = "all runs are over";
  if (news == Attachment::News::gone) text_ = "the process has gone";
  if (news == Attachment::News::none && attachment_.silence() > 2s) text_ = "no answer";
  if (news != Attachment::News::frame) return text_ != before || news != Attachment::News::none;
  text_ = "live";
  history_.add(attachment_.latest_frame(), attachment_.state());
  if (past_ && shown_ < history_.begin()) show(history_.begin());
  return true;
}

std::string LiveSource::standing() const {
  if (!past_) return text_;
  const core::Duration back = attachment_.state().frame().real - past_->frame().real;
  const bool same = attachment_.state().frame().run == past_->frame().run;
  return same ? fmt::format("{:.1f} s back, End: live", core::seconds(back))
              : std::string("a run before, End: live");
}

void LiveSource::turn_to(std::optional<std::uint32_t> run) {
  wanted_ = run;
  past_.reset();
  attachment_.turn_to(run);
}

std::string LiveSource::turn(Wish::Kind wish) {
  if (wish == Wish::Kind::newest_run) return turn_to({}), "";
  if (attachment_.state().empty()) return "no run is known yet";
  const auto run = neighbour(attachment_.state().frame(), wish == Wish::Kind::run_after);
  if (!run)
    return wish == Wish::Kind::run_after ? "no later run is under way"
                                         : "no earlier run is under way";
  return turn_to(*run), "";
}

void LiveSource::show(std::uint64_t number) {
  shown_ = number;
  past_ = history_.at(number);
}

std::string LiveSource::look_back(Wish::Kind wish) {
  if (history_.end() == 0) return "nothing has been seen yet";
  const std::uint64_t last = history_.end() - 1;
  const std::uint64_t now = past_ ? shown_ : last;
  std::uint64_t number = now;
  switch (wish) {
    case Wish::Kind::oldest:
      number = history_.begin();
      break;
    case Wish::Kind::frame_back:
      number = now > history_.begin() ? now - 1 : now;
      break;
    case Wish::Kind::frame_on:
      number = std::min(now + 1, last);
      break;
    case Wish::Kind::second_back: {
      const core::Duration from = history_.real_time(now);
      while (number > history_.begin() && history_.real_time(number) <= from &&
             from - history_.real_time(number) < 1s)
        --number;
      break;
    }
    default: {
      const core::Duration from = history_.real_time(now);
      while (number < last && history_.real_time(number) >= from &&
             history_.real_time(number) - from < 1s)
        ++number;
    }
  }
  if (number == now && number != last) return "nothing older is kept";
  if (number == last && wish != Wish::Kind::oldest && wish != Wish::Kind::frame_back &&
      wish != Wish::Kind::second_back)
    past_.reset();
  else
    show(number);
  return "";
}

std::string LiveSource::grant(Wish::Kind wish, const View& view) {
  using Kind = Wish::Kind;
  switch (wish) {
    case Kind::live:
      past_.reset();
      return "";
    case Kind::second_back:
    case Kind::second_on:
    case Kind::frame_back:
    case Kind::frame_on:
    case Kind::oldest:
      return look_back(wish);
    case Kind::run_before:
    case Kind::run_after:
    case Kind::newest_run:
      return turn(wish);
    case Kind::this_run:
      return turn_to(view.chosen_run), "";
    case Kind::story:
      if (!attachment_.state().empty()) attachment_.ask_for(story_of(view));
      return "";
    case Kind::pause:
    case Kind::faster:
    case Kind::slower:
      return "a run under way keeps its pace: f freezes the order, left goes back";
    case Kind::crash:
    case Kind::leave_run:
    case Kind::restart:
    case Kind::cut_off:
    case Kind::heal:
      return cause(wish, view);
    case Kind::nothing:
    case Kind::leave:
      return "";
  }
  return "";
}

// The fault happens in the present of the run, whatever moment is shown.
std::string LiveSource::cause(Wish::Kind fault, const View& view) {
  if (attachment_.state().empty()) return "no run is known yet";
  const auto offset = static_cast<unsigned>(fault) - static_cast<unsigned>(Wish::Kind::crash);
  const auto first = static_cast<unsigned>(live::Steer::Command::crash);
  live::Steer command{.run = attachment_.state().frame().run.number,
                      .command = static_cast<live::Steer::Command>(first + offset)};
  if (fault != Wish::Kind::heal && view.chosen) command.peers = {*view.chosen};
  try {
    return steer(attachment_.run(), command);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

live::Story story_of(const View& view) {
  if (view.opened) return {.peer = view.chosen};
  return {.task = view.task};
}

}  // namespace rhizome::tools
