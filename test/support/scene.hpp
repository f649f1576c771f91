// The environment of a test for one part of a protocol, without the class that owns it: it keeps
// the effects.
#pragma once

#include <any>
#include <utility>
#include <variant>
#include <vector>

#include "core/peer/env.hpp"
#include "core/peer/rng.hpp"
#include "test/support/facts.hpp"

namespace rhizome::test {

// `Messages` is the closed set of Env.
template <class Messages, class Env>
class Scene {
 public:
  explicit Scene(core::PeerId self, core::Incarnation life = {})
      : rng_(core::Rng::derive({1}, "scene")),
        stage_{.self = self,
               .incarnation = life,
               .now = {},
               .rng = rng_,
               .service = 0,
               .effects = effects_},
        env_(stage_, timers_, works_) {}
  Scene(const Scene&) = delete;
  Scene& operator=(const Scene&) = delete;

  [[nodiscard]] Env& env() { return env_; }
  [[nodiscard]] core::Time now() const { return stage_.now; }
  void pass(core::Duration duration) { stage_.now += duration; }

  // Messages of type M sent so far, with their destinations.
  template <class M>
  [[nodiscard]] std::vector<std::pair<core::PeerId, M>> sent() const {
    std::vector<std::pair<core::PeerId, M>> found;
    for (const core::Effect& effect : effects_.list) {
      const auto* send = std::get_if<core::Send>(&effect);
      if (send == nullptr) continue;
      const core::Packet packet = effects_.packet(*send);
      if (packet.header.type != core::position_of<M, Messages>) continue;
      M message{};
      REQUIRE(core::decode(packet.payload, message) == core::DecodeError::none);
      found.emplace_back(packet.header.to, std::move(message));
    }
    return found;
  }
  [[nodiscard]] std::size_t effects() const { return effects_.list.size(); }
  // Signals of type S raised so far.
  template <class S>
  [[nodiscard]] std::size_t raised() const {
    std::size_t count = 0;
    for (const std::any& signal : effects_.signals)
      count += std::any_cast<S>(&signal) != nullptr ? 1 : 0;
    return count;
  }

 private:
  core::Rng rng_;
  core::Effects effects_;
  core::Stage stage_;
  core::TimerTable<typename Env::Timers> timers_;
  std::uint32_t works_ = 0;
  Env env_;
};

}  // namespace rhizome::test
