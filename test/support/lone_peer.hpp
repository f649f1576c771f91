// One peer without an engine: packet in, effects out, so that a unit test reads like a
// conversation.
#pragma once

#include <algorithm>
#include <concepts>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "core/peer/peer.hpp"
#include "test/support/facts.hpp"

namespace rhizome::test {

// Hosts one protocol P. Effects accumulate until forget().
template <class P>
class LonePeer {
 public:
  template <class... A>
  requires std::constructible_from<P, A...>
  explicit LonePeer(core::PeerId id, A&&... arguments) : peer_(id, {}, 1) {
    peer_.add<P>(std::forward<A>(arguments)...);
  }

  // Hosts what `equip` adds, P among it; packets go to P, and those that it sends are kept.
  template <std::invocable<core::Peer&> Equip>
  LonePeer(core::PeerId id, const Equip& equip, core::Incarnation life = {}) : peer_(id, life, 1) {
    equip(peer_);
  }

  [[nodiscard]] const P& protocol() const { return *peer_.find<P>(); }
  [[nodiscard]] core::Peer& peer() { return peer_; }
  [[nodiscard]] core::Time now() const { return now_; }
  void pass(core::Duration duration) { now_ += duration; }

  void start() {
    core::Effects out;
    peer_.start(now_, out);
    keep(out);
  }

  template <class M>
  void deliver(core::PeerId from, const M& message) {
    core::Bytes payload;
    core::encode(message, payload);
    deliver_bytes(from, core::position_of<M, typename P::Messages>, payload);
  }

  // Delivers the message to another service of the same peer.
  template <class Q, class M>
  void deliver_to(core::PeerId from, const M& message) {
    core::Bytes payload;
    core::encode(message, payload);
    deliver_bytes(from, core::position_of<M, typename Q::Messages>, payload, position<Q>());
  }

  void deliver_bytes(core::PeerId from, std::uint8_t type, std::span<const std::byte> payload) {
    deliver_bytes(from, type, payload, position<P>());
  }

  // An input that is to come.
  void expect(core::Input input) { inputs_.emplace(input.at, std::move(input)); }
  // Takes the inputs that are due.
  void take_inputs() {
    while (!inputs_.empty() && inputs_.begin()->first <= now_) take_input();
  }

  // Fires the timer due first, at its time, or takes an input that comes no later; false when
  // neither is to come.
  bool fire_next() {
    const bool input_first =
        !inputs_.empty() && std::all_of(timers_.begin(), timers_.end(), [this](const auto& timer) {
          return inputs_.begin()->first <= timer.due;
        });
    if (input_first) {
      take_input();
      return true;
    }
    if (timers_.empty()) return false;
    const auto next = std::min_element(timers_.begin(), timers_.end(),
                                       [](const auto& a, const auto& b) { return a.due < b.due; });
    const core::Arm timer = *next;
    timers_.erase(next);
    now_ = std::max(now_, timer.due);
    core::Effects out;
    peer_.fire(now_, timer.id, out);
    keep(out);
    return true;
  }

  // Ends the work started first; false when none is running.
  bool complete_next() {
    if (works_.empty()) return false;
    const core::StartWork work = works_.front();
    works_.erase(works_.begin());
    now_ += work.duration;
    core::Effects out;
    peer_.complete(now_, {.id = work.id, .took = work.duration}, out);
    keep(out);
    return true;
  }

  // The peer leaves in good order.
  void depart() {
    core::Effects out;
    peer_.depart(now_, out);
    keep(out);
  }

  // Messages of type M sent so far, with their destinations.
  template <class M>
  [[nodiscard]] std::vector<std::pair<core::PeerId, M>> sent() const {
    std::vector<std::pair<core::PeerId, M>> found;
    for (const auto& [header, payload] : sent_) {
      const bool ours = header.service == position<P>();
      if (!ours || header.type != core::position_of<M, typename P::Messages>) continue;
      M message{};
      if (core::decode(payload, message) == core::DecodeError::none)
        found.emplace_back(header.to, std::move(message));
    }
    return found;
  }
  [[nodiscard]] std::size_t sent_count() const { return sent_.size(); }
  [[nodiscard]] const std::vector<core::Arm>& timers() const { return timers_; }
  [[nodiscard]] const std::vector<core::StartWork>& works() const { return works_; }
  [[nodiscard]] const std::vector<KeptFact>& facts() const { return facts_; }
  [[nodiscard]] std::optional<core::Drop> refused() const { return refused_; }
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] const std::vector<core::PeerId>& launched() const { return launched_; }
  [[nodiscard]] bool quit() const { return quit_; }
  void forget() {
    sent_.clear();
    facts_.clear();
    refused_.reset();
  }

 private:
  void deliver_bytes(core::PeerId from, std::uint8_t type, std::span<const std::byte> payload,
                     std::uint8_t service) {
    core::Effects out;
    peer_.deliver(
        now_, {{.from = from, .to = peer_.id(), .service = service, .type = type}, payload}, out);
    keep(out);
  }
  void take_input() {
    const core::Input input = std::move(inputs_.extract(inputs_.begin()).mapped());
    now_ = std::max(now_, input.at);
    core::Effects out;
    peer_.hear(now_, input, out);
    keep(out);
  }
  // The index of a protocol in its peer.
  template <class Q>
  [[nodiscard]] std::uint8_t position() const {
    std::uint8_t position = 0;
    for (const auto& service : peer_.services()) {
      if (dynamic_cast<const core::Hosted<Q>*>(service.get()) != nullptr) break;
      ++position;
    }
    return position;
  }
  void keep(const core::Effects& out) {
    for (const core::Effect& effect : out.list) {
      if (const auto* send = std::get_if<core::Send>(&effect)) {
        const core::Packet packet = out.packet(*send);
        sent_.emplace_back(packet.header,
                           core::Bytes(packet.payload.begin(), packet.payload.end()));
      } else if (const auto* arm = std::get_if<core::Arm>(&effect)) {
        timers_.push_back(*arm);
      } else if (const auto* cancel = std::get_if<core::Cancel>(&effect)) {
        std::erase_if(timers_, [&](const core::Arm& armed) { return armed.id == cancel->id; });
      } else if (const auto* work = std::get_if<core::StartWork>(&effect)) {
        works_.push_back(*work);
      } else if (const auto* stop = std::get_if<core::StopWork>(&effect)) {
        std::erase_if(works_, [&](const core::StartWork& w) { return w.id == stop->id; });
      } else if (std::holds_alternative<core::PaceWork>(effect)) {
        // a lone peer's work ends when the test completes it
      } else if (const auto* note = std::get_if<core::Note>(&effect)) {
        facts_.push_back(test::keep(now_, out.fact(*note)));
      } else if (const auto* refuse = std::get_if<core::Refuse>(&effect)) {
        refused_ = refuse->why;
      } else if (const auto* launch = std::get_if<core::Launch>(&effect)) {
        launched_.push_back(launch->peer);
      } else if (std::holds_alternative<core::Quit>(effect)) {
        quit_ = true;
      } else {
        finished_ = !std::holds_alternative<core::Resume>(effect);
      }
    }
  }

  core::Peer peer_;
  core::Time now_{};
  std::vector<std::pair<core::PacketHeader, core::Bytes>> sent_;
  std::vector<core::Arm> timers_;
  std::vector<core::StartWork> works_;
  std::vector<KeptFact> facts_;
  std::multimap<core::Time, core::Input> inputs_;
  std::optional<core::Drop> refused_;
  std::vector<core::PeerId> launched_;
  bool finished_ = false;
  bool quit_ = false;
};

}  // namespace rhizome::test
