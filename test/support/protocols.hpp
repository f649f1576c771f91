// Tiny protocols for tests of engines.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/peer/env.hpp"

namespace rhizome::test {

// Facts of these protocols.
struct Hit {
  static constexpr core::FactInfo info{"hit", "A ball came back.", "hits | from"};
  std::uint32_t hits = 0;
  core::PeerId from{};
};
struct Worked {
  static constexpr core::FactInfo info{"worked", "A piece of work ended.", "result | took | right"};
  std::string result{};
  core::Duration took{0};
  bool right = false;
};
struct Paused {
  static constexpr core::FactInfo info{"paused", "A pause is over.", "at"};
  core::Time at{};
};
struct Unwanted {
  static constexpr core::FactInfo info{"unwanted", "What must never happen did.", ""};
};
struct Departed {
  static constexpr core::FactInfo info{"departed", "A guest leaves.", ""};
};
struct Came {
  static constexpr core::FactInfo info{"came", "A guest came.", "guest"};
  core::PeerId guest{};
};
struct Went {
  static constexpr core::FactInfo info{"went", "A guest went.", "guest"};
  core::PeerId guest{};
};
struct Got {
  static constexpr core::FactInfo info{"got", "A parcel arrived.", "number | from"};
  std::uint32_t number = 0;
  core::PeerId from{};
};
struct Ended {
  static constexpr core::FactInfo info{"ended", "The end.", ""};
};

// Peer 0 sends a ball to peer 1, and both return it until it has been hit `hits` times; then both
// finish. Each hit is a fact.
struct Ball {
  static constexpr core::MessageInfo info{"ball", core::MessageClass::information,
                                          core::Cause::probe};
  std::uint32_t hits = 0;
};

class PingPong {
 public:
  using Messages = core::OneOf<Ball>;
  using Env = core::Env<Messages, core::Nothing, core::OneOf<Hit>>;
  static constexpr std::string_view name = "ping-pong";

  explicit PingPong(std::uint32_t hits) : hits_(hits) {}
  void start(Env& env) {
    if (env.self().value == 0) env.send(core::PeerId{1}, Ball{1});
  }
  void on(Env& env, core::PeerId from, const Ball& ball) {
    env.note(Hit{ball.hits, from});
    if (ball.hits <= hits_) env.send(from, Ball{ball.hits + 1});
    if (ball.hits >= hits_) env.finish();
  }

 private:
  std::uint32_t hits_;
};

// Does a piece of work, waits a while, and finishes; notes when each ended. A second timer is
// cancelled and a second work is stopped, so neither may ever be heard of.
struct PauseOver {};
struct NeverDue {};

class Routine {
 public:
  using Messages = core::OneOf<Ball>;
  using Timers = core::OneOf<PauseOver, NeverDue>;
  using Env = core::Env<Messages, Timers, core::OneOf<Worked, Paused, Unwanted>>;
  static constexpr std::string_view name = "routine";

  explicit Routine(core::Work work) : work_(work) {}
  void start(Env& env) {
    wanted_ = env.work(work_);
    env.stop(env.work({.duration = std::chrono::milliseconds(1)}));
    env.cancel(env.after(std::chrono::milliseconds(1), NeverDue{}));
  }
  void on(Env& env, const core::WorkDone& done) {
    if (done.id == wanted_)
      env.note(Worked{done.result.value, done.took,
                      done.result.verdict == core::Result::Verdict::right});
    else
      env.note(Unwanted{});
    env.after(std::chrono::milliseconds(20), PauseOver{});
  }
  void on(Env& env, const PauseOver&) {
    env.note(Paused{env.now()});
    env.finish();
  }
  void on(Env& env, const NeverDue&) { env.note(Unwanted{}); }
  void on(Env&, core::PeerId, const Ball&) {}

 private:
  core::Work work_;
  core::WorkId wanted_;
};

// Peer 0 is the host: it notes which peers come and go, and finishes once `goodbyes` peers have
// gone. Guests finish at once, and leave a timer and a piece of work behind that must never reach
// them.
struct Hello {
  static constexpr core::MessageInfo info{"hello", core::MessageClass::information,
                                          core::Cause::join};
};
struct Goodbye {
  static constexpr core::MessageInfo info{"goodbye", core::MessageClass::information,
                                          core::Cause::departure};
};

class Party {
 public:
  using Messages = core::OneOf<Hello, Goodbye>;
  using Timers = core::OneOf<NeverDue>;
  using Env = core::Env<Messages, Timers, core::OneOf<Departed, Came, Went, Unwanted>>;
  static constexpr std::string_view name = "party";

  explicit Party(std::uint32_t goodbyes) : goodbyes_(goodbyes) {}
  void start(Env& env) {
    if (env.self() == host) return;
    env.send(host, Hello{});
    env.finish();
  }
  void on(Env& env, const core::Departure&) {
    env.note(Departed{});
    env.send(host, Goodbye{});
    env.after(std::chrono::milliseconds(1), NeverDue{});
    env.work({.duration = std::chrono::milliseconds(1)});
  }
  void on(Env& env, core::PeerId from, const Hello&) { env.note(Came{from}); }
  void on(Env& env, core::PeerId from, const Goodbye&) {
    env.note(Went{from});
    if (++gone_ == goodbyes_) env.finish();
  }
  void on(Env& env, const NeverDue&) { env.note(Unwanted{}); }
  void on(Env& env, const core::WorkDone&) { env.note(Unwanted{}); }

 private:
  static constexpr core::PeerId host{0};
  std::uint32_t goodbyes_;
  std::uint32_t gone_ = 0;
};

// Peer 0 sends so many parcels at once to a peer, which notes each and finishes with the last. All
// others have nothing to do and never finish.
struct Parcel {
  static constexpr core::MessageInfo info{"parcel", core::MessageClass::job, core::Cause::work};
};

class Mail {
 public:
  struct Options {
    std::uint32_t parcels = 1;
    core::PeerId to{1};
  };
  using Messages = core::OneOf<Parcel>;
  using Env = core::Env<Messages, core::Nothing, core::OneOf<Got>>;
  static constexpr std::string_view name = "mail";

  explicit Mail(Options options) : options_(options) {}
  void start(Env& env) {
    if (env.self().value != 0) return;
    if (options_.to != env.self()) env.finish();
    for (std::uint32_t i = 0; i < options_.parcels; ++i) env.send(options_.to, Parcel{});
  }
  void on(Env& env, core::PeerId from, const Parcel&) {
    env.note(Got{got_, from});
    if (++got_ == options_.parcels) env.finish();
  }

 private:
  Options options_;
  std::uint32_t got_ = 0;
};

// Peer 1 rests from the start. Peer 0 calls it after a while and finishes later; called, peer 1
// goes on for longer than that, and then notes it and finishes.
struct WakeUp {
  static constexpr core::MessageInfo info{"wake-up", core::MessageClass::information,
                                          core::Cause::probe};
};
struct CallDue {};
struct EndDue {};

class Sleeper {
 public:
  using Messages = core::OneOf<WakeUp>;
  using Timers = core::OneOf<CallDue, EndDue>;
  using Env = core::Env<Messages, Timers, core::OneOf<Ended>>;
  static constexpr std::string_view name = "sleeper";

  static constexpr std::chrono::milliseconds a_while{200};
  void start(Env& env) {
    if (env.self().value == 0)
      env.after(a_while, CallDue{});
    else
      env.rest();
  }
  void on(Env& env, const CallDue&) {
    env.send(core::PeerId{1}, WakeUp{});
    env.after(a_while, EndDue{});
  }
  void on(Env& env, core::PeerId, const WakeUp&) {
    env.resume();
    env.after(2 * a_while, EndDue{});
  }
  void on(Env& env, const EndDue&) {
    env.note(Ended{});
    env.finish();
  }
};

}  // namespace rhizome::test
