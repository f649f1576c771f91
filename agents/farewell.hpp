// How the peers hear that the run is over, whatever is lost on the way.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents {

// The run is over. Where that may be lost, a peer acknowledges it.
struct Over {
  static constexpr core::MessageInfo info{"over", MessageClass::information, Cause::termination};
};
struct OverToo {
  static constexpr core::MessageInfo info{"over-too", MessageClass::information,
                                          Cause::termination};
};
struct OverDue {};  // a timer: acknowledgements are missing

// Tells peers that the run is over, again until they have acknowledged it. A peer that has not
// after `most_tries` is dead, or will ask by itself.
template <class M = Over>
class Farewell {
 public:
  Farewell(core::Duration patience, std::uint32_t most_tries)
      : patience_(patience), most_tries_(most_tries) {}

  template <class Env>
  void tell(Env& env, core::PeerId peer, bool until_acknowledged, const M& message = {}) {
    message_ = message;
    env.send(peer, message);
    if (until_acknowledged) untold_.emplace(peer, 1);
  }
  // To be called when all have been told once.
  template <class Env>
  void wait(Env& env) {
    if (!complete()) due_ = env.after(patience_, OverDue{});
  }
  template <class Env>
  void on(Env& env, const OverDue&) {
    due_ = {};
    std::erase_if(untold_, [this](const auto& each) { return each.second >= most_tries_; });
    for (auto& [peer, tries] : untold_) {
      ++tries;
      env.send(peer, message_, Cause::recovery);
    }
    wait(env);
  }
  template <class Env>
  void on(Env& env, core::PeerId from, const OverToo&) {
    untold_.erase(from);
    if (complete()) env.cancel(std::exchange(due_, {}));
  }
  [[nodiscard]] bool complete() const { return untold_.empty(); }

 private:
  core::Duration patience_;
  std::uint32_t most_tries_;
  M message_{};
  std::map<core::PeerId, std::uint32_t> untold_{};  // and how often each was told
  core::TimerId due_{};
};

}  // namespace rhizome::agents
