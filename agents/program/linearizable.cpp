#include "agents/program/linearizable.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

namespace rhizome::agents::program {

namespace {

using Value = std::optional<std::int64_t>;

// Calls and returns in the order of time, as a list from which a call that is placed is lifted out
// with its return.
class Search {
 public:
  Search(std::vector<RegisterCall> calls, std::uint64_t most_steps)
      : calls_(std::move(calls)), steps_left_(most_steps), done_(calls_.size(), false) {
    // An operation without an answer that changes nothing proves nothing, and is left out.
    link(in_order());
  }

  std::optional<bool> run() {
    std::size_t at = next_[head()];
    while (must_return_ > 0) {
      if (steps_left_-- == 0) return {};
      if (at != head() && is_call(at)) {
        if (place(at)) {
          at = next_[head()];
          continue;
        }
        at = next_[at];
      } else if (placed_.empty()) {
        return false;
      } else {
        at = next_[take_back()];
      }
    }
    return true;
  }

 private:
  struct Placed {
    std::size_t call;
    Value before;
  };

  [[nodiscard]] std::size_t head() const { return 2 * calls_.size(); }
  [[nodiscard]] bool is_call(std::size_t event) const { return event < calls_.size(); }

  // Events: i is the call of operation i, and i + their number its return. An unknown one returns
  // after all others.
  [[nodiscard]] std::vector<std::size_t> in_order() {
    std::vector<std::size_t> events(2 * calls_.size());
    for (std::size_t i = 0; i < events.size(); ++i) events[i] = i;
    const auto time = [this](std::size_t event) {
      const RegisterCall& call = calls_[event % calls_.size()];
      if (is_call(event)) return call.called;
      return call.unknown ? core::Time::max() : call.returned;
    };
    // Calls sort before returns of the same time: such operations overlap.
    std::stable_sort(events.begin(), events.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(time(a), !is_call(a)) < std::pair(time(b), !is_call(b));
    });
    for (const RegisterCall& call : calls_) must_return_ += call.unknown ? 0 : 1;
    return events;
  }
  void link(const std::vector<std::size_t>& events) {
    next_.resize(head() + 1);
    previous_.resize(head() + 1);
    std::size_t last = head();
    for (const std::size_t event : events) {
      next_[last] = event;
      previous_[event] = last;
      last = event;
    }
    next_[last] = head();
    previous_[head()] = last;
  }

  // Whether the operation can be the next, and has not been tried so.
  bool place(std::size_t operation) {
    const RegisterCall& call = calls_[operation];
    Value after = value_;
    if (call.kind == RegisterCall::Kind::read && !call.unknown && call.value != value_)
      return false;
    if (call.kind == RegisterCall::Kind::write) after = call.value;
    if (call.kind == RegisterCall::Kind::swap) {
      const bool fits = value_ == Value(call.expected);
      if (!fits && !call.unknown) return false;
      if (fits) after = call.value;
    }
    done_[operation] = true;
    if (!tried_.emplace(done_, after).second) {
      done_[operation] = false;
      return false;
    }
    placed_.push_back({operation, value_});
    value_ = after;
    must_return_ -= call.unknown ? 0 : 1;
    lift(operation);
    lift(operation + calls_.size());
    return true;
  }
  std::size_t take_back() {
    const Placed last = placed_.back();
    placed_.pop_back();
    value_ = last.before;
    done_[last.call] = false;
    must_return_ += calls_[last.call].unknown ? 0 : 1;
    put_back(last.call + calls_.size());
    put_back(last.call);
    return last.call;
  }
  void lift(std::size_t event) {
    next_[previous_[event]] = next_[event];
    previous_[next_[event]] = previous_[event];
  }
  void put_back(std::size_t event) {
    next_[previous_[event]] = event;
    previous_[next_[event]] = event;
  }

  std::vector<RegisterCall> calls_;
  std::uint64_t steps_left_;
  std::size_t must_return_ = 0;
  std::vector<std::size_t> next_{};
  std::vector<std::size_t> previous_{};
  std::vector<bool> done_;
  Value value_{};
  std::vector<Placed> placed_{};
  std::set<std::pair<std::vector<bool>, Value>> tried_{};
};

}  // namespace

std::optional<bool> is_linearizable(std::vector<RegisterCall> calls, std::uint64_t most_steps) {
  return Search(std::move(calls), most_steps).run();
}

}  // namespace rhizome::agents::program
