// Gossip: tokens wander at random for ever, as fast as an engine carries them. Tests of
// conservation and the benchmarks share it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/peer/env.hpp"

namespace rhizome::test {

struct Token {
  static constexpr core::MessageInfo info{"token", core::MessageClass::information,
                                          core::Cause::probe};
  std::uint32_t hops = 0;
  std::string payload;
};

struct GossipOptions {
  std::uint32_t peers = 2;          // at least two: no peer sends to itself
  std::size_t payload_bytes = 100;  // of every token
};

// Every second peer starts one token, so that half as many wander as there are peers.
class Gossip {
 public:
  using Messages = core::OneOf<Token>;
  using Env = core::Env<Messages>;
  static constexpr std::string_view name = "gossip";

  explicit Gossip(GossipOptions options) : options_(options) {}

  void start(Env& env) {
    if (env.self().value % 2 == 1) return;
    const Token token{.hops = 1, .payload = std::string(options_.payload_bytes, 'x')};
    env.send(somebody_else(env), token);
  }
  void on(Env& env, core::PeerId, const Token& token) {
    next_ = token;
    ++next_.hops;
    env.send(somebody_else(env), next_);
  }

 private:
  [[nodiscard]] core::PeerId somebody_else(Env& env) const {
    const auto drawn = static_cast<std::uint32_t>(env.rng().below(options_.peers - 1));
    return core::PeerId{drawn + (drawn >= env.self().value ? 1U : 0U)};
  }

  GossipOptions options_;
  Token next_;  // kept, so that forwarding reuses its memory
};

}  // namespace rhizome::test
