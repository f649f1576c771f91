// A run in virtual time: what the engine keeps, and the one loop that takes whatever is due next.
// What happens to packets on their way is in virtual_packets.cpp, the rest in virtual_engine.cpp.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/engine/agenda.hpp"
#include "core/engine/packet_store.hpp"
#include "core/engine/toll.hpp"
#include "core/engine/virtual_engine.hpp"

namespace rhizome::core {

namespace detail {

// Something due, and the peer that handles it. Timers, works and departures name the life of the
// peer that asked for them.
struct Due {
  enum class Kind : std::uint8_t {
    departure,  // of a packet from its sender's line
    arrival,    // of a packet at its receiver's line
    packet,     // at its receiver
    timer,
    work,
    fault
  };
  [[nodiscard]] bool is_packet() const {
    return kind == Kind::departure || kind == Kind::arrival || kind == Kind::packet;
  }
  // Whether it is a peer that handles it; lines and faults cost no processor's time.
  [[nodiscard]] bool costs_handling() const {
    return kind == Kind::packet || kind == Kind::timer || kind == Kind::work;
  }

  Kind kind;
  Fault::Kind fault = Fault::Kind::crash;
  bool paid = false;       // waited for its handling already
  std::uint32_t slot = 0;  // of a packet: in the store
  PeerId peer{};
  Incarnation incarnation{};
  TimerId timer{};
  std::uint32_t work_number = 0;  // with timer.service
};

struct ActiveWork {
  WorkId id;
  Work work;
  Time started;
};

// All that the engine keeps about one address.
struct Host {
  Host(PeerId id, const EngineSetup& setup)
      : link_rng(Rng::derive({setup.seed, id.value}, "link")), recorder(setup.recording) {}
  std::optional<Peer> peer;  // empty while it is down
  Incarnation incarnation;
  bool finished = false;
  Rng link_rng;
  Recorder recorder;
  std::vector<ActiveWork> works;
};

}  // namespace detail

class VirtualEngine::Run {
  using Due = detail::Due;
  using Host = detail::Host;
  using ActiveWork = detail::ActiveWork;

 public:
  explicit Run(EngineSetup setup) : setup_(std::move(setup)), toll_(setup_.costs, setup_.peers) {
    hosts_.reserve(setup_.peers);
    for (std::uint32_t i = 0; i < setup_.peers; ++i) hosts_.emplace_back(PeerId{i}, setup_);
    for (const AccessRates rates : setup_.access) lines_.emplace_back(rates);
    for (const Fault& fault : setup_.faults)
      agenda_.push(fault.at, {.kind = Due::Kind::fault, .fault = fault.kind, .peer = fault.peer});
  }

  EngineReport run(const Observer& observer);
  bool run_until(Time time);
  void crash(PeerId id);
  void leave(PeerId id);
  void restart(PeerId id);

  [[nodiscard]] const Host& host(PeerId id) const { return hosts_[id.value]; }
  [[nodiscard]] Time now() const { return now_; }

 private:
  void start_once();
  void start(Host& host, PeerId id);
  bool step();
  void foresee(const Due& due, Agenda<Due>::Nearness nearness) const;
  bool handle(const Due& due);
  bool depart(const Due& due);
  bool arrive(const Due& due);
  bool handle_packet(std::uint32_t slot);
  bool handle_work(const Due& due);
  bool handle_fault(const Due& due);
  void perform(Host& host, PeerId id);
  void stop(PeerId id);
  void send(Host& sender, const Send& send);
  void transmit(Host& sender, PacketHeader header, std::span<const std::byte> payload);
  [[nodiscard]] bool has_line(const PacketHeader& header) const {
    return !lines_.empty() && header.from != header.to;
  }
  void finish(Host& host, bool finished);
  [[nodiscard]] bool all_finished() const { return finished_ == alive_ && finished_ > 0; }
  [[nodiscard]] Time deadline() const;
  [[nodiscard]] EngineReport report();

  EngineSetup setup_;
  Toll toll_;
  std::vector<Host> hosts_;
  std::vector<AccessLine> lines_;  // by peer, or empty
  Agenda<Due> agenda_;
  PacketStore store_;
  Effects effects_;
  Time now_{};
  Time last_event_{};
  std::optional<Time> first_finish_;
  std::uint32_t alive_ = 0;
  std::uint32_t finished_ = 0;
  std::uint64_t events_ = 0;
  bool started_ = false;
  Ending ending_ = Ending::limit;
};

}  // namespace rhizome::core
