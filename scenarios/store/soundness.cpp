// Checks that an outcome read from a store is consistent. Its readers use ids of peers and kinds of
// messages as indices, so a damaged file must cause an error and not a crash.
#include "scenarios/store/checks.hpp"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "core/peer/fact.hpp"
#include "scenarios/outcome/kind_index.hpp"
#include "scenarios/store/database.hpp"

namespace rhizome::scenarios {

namespace {

class Soundness {
 public:
  explicit Soundness(const Outcome& outcome) : outcome_(outcome), kinds_(outcome.kinds) {}

  void check() const {
    check_kinds();
    check_peers();
    check_work();
    check_events();
    check_messages();
  }

 private:
  void somebody(core::PeerId peer) const {
    if (peer.value >= outcome_.peers.size())
      throw DatabaseError(fmt::format("there is no peer {}", peer.value));
  }
  void peer_or_none(core::PeerId peer) const {
    if (peer != core::no_peer) somebody(peer);
  }

  void kind(std::uint8_t service, std::uint8_t type) const {
    if (kinds_.find(service, type) == nullptr)
      throw DatabaseError(fmt::format("service {} has no messages of type {}", service, type));
  }

  void check_kinds() const {
    for (const MessageKind& each : outcome_.kinds)
      if (kinds_.find(each.service_index, each.type) != &each)
        throw DatabaseError(fmt::format("messages of type {} of service {} are described twice",
                                        each.type, each.service_index));
  }

  // Burdens have been read already, by peers in order.
  void check_peers() const {
    for (std::size_t i = 0; i < outcome_.peers.size(); ++i) {
      const PeerOutcome& peer = outcome_.peers[i];
      if (peer.id.value != i) throw DatabaseError(fmt::format("there is no peer {}", i));
      for (const core::BurdenRow& row : peer.burdens) kind(row.service, row.type);
    }
  }

  void check_work() const {
    for (const TaskOutcome& task : outcome_.tasks) peer_or_none(task.executor);
  }

  void check_events() const {
    outcome_.facts.for_each_type([this](auto, const auto& column) {
      for (const auto& noted : column) check_fact(noted);
    });
    for (const core::Fault& fault : outcome_.faults) somebody(fault.peer);
    for (const core::Stall& stall : outcome_.stalls) somebody(stall.peer);
    for (const core::LostPeers& lost : outcome_.lost)
      for (const core::PeerId peer : lost.peers) somebody(peer);
    for (const Violation& violation : outcome_.violations) peer_or_none(violation.peer);
  }

  template <class F>
  void check_fact(const Noted<F>& noted) const {
    somebody(noted.peer);
    if constexpr (requires { noted.fact.node; }) somebody(noted.fact.node);
    std::apply([this](const auto&... value) { (check_value(value), ...); },
               core::values_of(noted.fact));
  }
  template <class T>
  void check_value(const T& value) const {
    if constexpr (std::is_same_v<T, core::PeerId>) peer_or_none(value);
  }

  void check_messages() const {
    for (const MessageOutcome& message : outcome_.messages) {
      somebody(message.from);
      somebody(message.to);
      kind(message.service, message.type);
    }
  }

  const Outcome& outcome_;
  KindIndex kinds_;
};

}  // namespace

void check_sound(const Outcome& outcome) { Soundness(outcome).check(); }

}  // namespace rhizome::scenarios
