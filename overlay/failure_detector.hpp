// A failure detector: pings the peers that other services of its peer watch, asks helpers to try
// before it suspects a peer (SWIM: Das, Gupta and Motivala, DSN 2002), and signals when its opinion
// changes. It is slower to judge a peer that it was wrong about, as in Chandra and Toueg (JACM
// 1996, section 9.1). A peer that leaves in good order says so to the peers that ping it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"
#include "core/peer/state_dump.hpp"
#include "overlay/descriptor.hpp"
#include "overlay/liveness_facts.hpp"

namespace rhizome::overlay {

// The signal of the present opinion of a peer. `restarted` comes with `alive`: whatever that peer
// held in its former life is gone.
struct Liveness {
  enum class Kind : std::uint8_t { alive, suspected, dead };
  PeerId peer;
  Kind kind = Kind::alive;
  bool restarted = false;

  // Whether that peer has lost our tasks and placeholders: it is dead, or has restarted.
  [[nodiscard]] bool gone() const { return kind == Kind::dead || restarted; }
};

// The signal that pings have gone out, for services that repeat a message without end and need a
// clock for it that need not come to rest.
struct PingRound {};

struct DetectorOptions {
  core::Duration round = std::chrono::seconds(3);
  std::uint32_t rounds_until_dead = 3;  // one more for each mistake about a peer, three at most
  std::uint32_t helpers = 3;  // asked for an indirect ping half a round later; 0: pings only
  std::uint32_t peers = any_address;  // in the world; questions about others are not answered
};

// `origin` wants to know whether `target` lives; helpers pass its question and the answer on.
struct Ping {
  static constexpr core::MessageInfo info{"ping", core::MessageClass::information,
                                          core::Cause::heartbeat};
  PeerId origin;
};
struct Pong {
  static constexpr core::MessageInfo info{"pong", core::MessageClass::information,
                                          core::Cause::heartbeat};
  PeerId origin;
  PeerId target;
  std::uint32_t incarnation;
};
struct PingRequest {
  static constexpr core::MessageInfo info{"ping-request", core::MessageClass::information,
                                          core::Cause::heartbeat};
  PeerId origin;
  PeerId target;
};
// The sender's life ends now.
struct Farewell {
  static constexpr core::MessageInfo info{"farewell", core::MessageClass::information,
                                          core::Cause::heartbeat};
  std::uint32_t incarnation;
};
struct RoundDue {};
struct HelpDue {};

class FailureDetector {
 public:
  using Messages = core::OneOf<Ping, Pong, PingRequest, Farewell>;
  using Facts = core::OneOf<PeerSuspected, PeerDead, PeerLeft, PeerAlive>;
  using Env = core::Env<Messages, core::OneOf<RoundDue, HelpDue>, Facts>;
  static constexpr std::string_view name = "failure-detector";
  static constexpr bool perpetual = true;

  explicit FailureDetector(const DetectorOptions& options) : options_(options) {}

  // Counted: a peer is watched until it has been unwatched as often as watched. The first ping goes
  // out with the next round. A life that the peer has told counts unless one is known: a later life
  // is signalled as a restart, even if no answer has come before.
  void watch(PeerId peer, std::optional<std::uint32_t> life = {});
  // The same for a peer that should be in its first life: any other is signalled as a restart.
  void watch_first_life(PeerId peer) {
    watch(peer);
    watched_[peer].incarnation = 0;
  }
  void unwatch(PeerId peer);
  // Peers never watched count as alive.
  [[nodiscard]] bool thinks_dead(PeerId peer) const { return dead_.contains(peer); }
  // Whether a later life of the peer is known.
  [[nodiscard]] bool is_past(PeerId peer, std::uint32_t life) const;

  void start(Env& env);
  void on(Env& env, const RoundDue& due);
  void on(Env& env, const HelpDue& due);
  void on(Env& env, PeerId from, const Ping& message);
  void on(Env& env, PeerId from, const Pong& message);
  void on(Env& env, PeerId from, const PingRequest& message);
  void on(Env& env, PeerId from, const Farewell& message);
  void on(Env& env, const core::Departure& departure);

  void dump_state(core::StateDump& dump) const {
    dump.tell("watched", watched_);
    dump.tell("dead", dead_);
    dump.tell("pinged_by", pinged_by_);
    dump.tell("mistakes", mistakes_);
  }

 private:
  struct Watched {
    std::uint32_t watchers = 0;
    std::uint32_t silent = 0;  // rounds
    bool asked = false;        // in this round
    bool heard = true;         // in this round
    std::optional<std::uint32_t> incarnation{};
  };
  [[nodiscard]] bool exists(PeerId peer) const { return peer.value < options_.peers; }
  [[nodiscard]] std::uint32_t rounds_until_dead(PeerId peer) const;
  void judge(Env& env, PeerId peer, Watched& watched);
  void resurrect(PeerId peer, bool restarted);

  DetectorOptions options_;
  core::FlatMap<PeerId, Watched> watched_;
  core::FlatSet<PeerId> dead_;  // mostly none: every packet asks
  core::FlatSet<PeerId> pinged_by_;
  core::FlatMap<PeerId, std::uint32_t> mistakes_;  // how often each was wrongly held for dead in
                                                   // its present life
};

}  // namespace rhizome::overlay
