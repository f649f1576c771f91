// A peer: an address and its services, a value without I/O. Events in, effects out.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/peer/prefetch.hpp"
#include "core/peer/service.hpp"
#include "core/peer/small_vector.hpp"

namespace rhizome::core {

// One life of a peer. Not thread-safe: one thread at a time. Each event appends to `out`.
class Peer {
 public:
  // `seed` is of the run: the peer's stream derives from it, its id and its incarnation.
  Peer(PeerId id, Incarnation incarnation, std::uint64_t seed);
  Peer(Peer&&) = default;
  Peer& operator=(Peer&&) = delete;
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  // Destroys services in the reverse order of their construction.
  ~Peer();

  // Constructs a protocol at the end of the list. Composition is construction order, and must be
  // the same at all peers that talk to each other. The reference lives as long as the peer.
  template <class P, class... A>
  P& add(A&&... arguments) {
    auto hosted = std::make_unique<Hosted<P>>(std::forward<A>(arguments)...);
    P& protocol = hosted->protocol();
    if (hosted->stewards()) steward_ = services_.size();
    services_.push_back(std::move(hosted));
    return protocol;
  }

  void start(Time now, Effects& out);
  void deliver(Time now, const Packet&, Effects& out);
  // False when the timer had been cancelled: nothing happened.
  bool fire(Time now, TimerId, Effects& out);
  void complete(Time now, const WorkDone&, Effects& out);
  // Every service that takes inputs of its type hears it.
  void hear(Time now, const Input& input, Effects& out);
  // Services say goodbye in the reverse order of their construction; no event may follow, so no
  // effect may be kept back.
  void depart(Time now, Effects& out);

  [[nodiscard]] PeerId id() const { return id_; }
  [[nodiscard]] Incarnation incarnation() const { return incarnation_; }
  [[nodiscard]] std::span<const std::unique_ptr<Service>> services() const {
    return {services_.data(), services_.size()};
  }
  // An event for this service is to come.
  void prefetch(std::size_t service) const {
    constexpr std::size_t most = 1280;  // bytes of a service; the largest has a little less
    if (service < services_.size()) core::prefetch(services_[service].get(), most);
  }
  // Timers of services that should have come to rest.
  [[nodiscard]] std::vector<std::string> armed() const;
  // Adds the state of its services to the dump; false if one of them does not show its state.
  bool dump_state(StateDump& dump) const;
  // How far its random stream has come: with its state, all that its future depends on.
  [[nodiscard]] std::uint64_t chance() const { return Rng(rng_).bits(); }

  // The first service of class P, or nullptr; for tests and for inspection between events.
  template <class P>
  [[nodiscard]] const P* find() const {
    for (const auto& service : services_)
      if (const auto* hosted = dynamic_cast<const Hosted<P>*>(service.get()))
        return &hosted->protocol();
    return nullptr;
  }

 private:
  [[nodiscard]] Stage stage(Time now, std::size_t service, Effects& out);
  void pass_signals(Time now, Effects& out);
  // Completes an event, whose effects begin with number `first`.
  void settle(Time now, std::size_t first, Effects& out);

  PeerId id_;
  Incarnation incarnation_;
  Rng rng_;
  SmallVector<std::unique_ptr<Service>, 4> services_;
  std::optional<std::size_t> steward_{};  // the position of that service, if there is one
};

}  // namespace rhizome::core
