// The loop that one peer's thread runs: receive, fire what is due, perform effects, sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/engine/agenda.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/transport.hpp"
#include "core/engine/wall_clock.hpp"
#include "core/engine/work_pool.hpp"

namespace rhizome::core {

// Who lives and who has finished. Changes are rare, so a mutex serves.
class Census {
 public:
  explicit Census(std::uint32_t alive) : alive_(alive) {}
  void died(bool had_finished);
  void revived();
  void finished();
  void resumed();
  // The first who says so gives the others the grace of the run.
  void hurry(Time now);
  [[nodiscard]] bool all_finished() const;
  [[nodiscard]] std::optional<Time> first_finish() const;

 private:
  mutable std::mutex mutex_;
  std::uint32_t alive_;
  std::uint32_t finished_ = 0;
  std::optional<Time> first_;
};

// What all peer threads of a run share. Everything here is const, atomic or locks by itself.
struct Shared {
  Shared(const EngineSetup& engine_setup, double time_scale, std::unique_ptr<Transport> network);

  const EngineSetup& setup;
  WallClock clock;
  std::unique_ptr<Transport> transport;
  std::vector<std::atomic<std::uint32_t>> incarnations;  // the present life of each peer
  Census census;
  WorkPool pool;
  std::atomic<bool> stopping{false};
};

// Belongs to its thread from run() on; read by the engine once the thread has been joined.
class PeerThread {
 public:
  PeerThread(PeerId id, Shared& shared);

  // Builds the peer; may be slow, and time has not begun. Not called for one that joins later.
  void prepare();
  // Starts the peer, if there is one yet, and serves it until `stopping`.
  void run();
  // After the join: what still lies in the inbox and the agenda counts as in flight, and what the
  // line carried is noted.
  void conclude(Time ended);

  [[nodiscard]] PeerId id() const { return id_; }
  [[nodiscard]] Recorder& recorder() { return recorder_; }
  [[nodiscard]] const Fidelity& fidelity() const { return fidelity_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  // When its start had been handled; 0 for one that was not there then.
  [[nodiscard]] Time begun() const { return begun_; }
  [[nodiscard]] const Peer* peer() const { return peer_.get(); }
  [[nodiscard]] Incarnation incarnation() const { return incarnation_; }
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] std::size_t working() const { return works_.size(); }

 private:
  struct Due {
    enum class Kind : std::uint8_t {
      departure,  // of a packet from this peer's line
      arrival,    // of a packet at this peer's line
      packet,     // at this peer
      timer,
      work
    };
    Kind kind;
    Incarnation incarnation{};
    Time at{};
    TimerId timer{};
    WorkId work{};
    PacketHeader header{};
    Bytes payload{};
  };
  struct ActiveWork {
    WorkId id;
    Time started;
  };

  void step();
  void start();
  void receive(const Delivery& delivery);
  void accept(const Packet& packet);
  void arrive(const Packet& packet);
  void hold(Due::Kind kind, const Packet& packet);
  void handle(const Due& due);
  void deliver(const Packet& packet);
  void fire(const Due& due);
  void complete(WorkId id, std::optional<Time> due, std::uint64_t result);
  void leave();
  void crash();
  void stop();
  void restart();
  void perform();
  void perform(const Send& send);
  void depart(const Due& due);
  void transmit(const PacketHeader& header, std::span<const std::byte> payload, Time departure);
  [[nodiscard]] bool has_line(const PacketHeader& header) const {
    return line_ && header.from != header.to;
  }
  void perform(const StartWork& start);
  void finish(bool finished);
  void after_handler();

  const PeerId id_;
  Shared& shared_;
  Inbox& inbox_;
  std::unique_ptr<Peer> peer_;
  Incarnation incarnation_;
  std::optional<AccessLine> line_;
  Agenda<Due> agenda_;
  Effects effects_;
  Recorder recorder_;
  Fidelity fidelity_;
  Rng link_rng_;
  std::vector<ActiveWork> works_;
  Time now_{};
  Time begun_{};
  std::uint64_t events_ = 0;
  bool finished_ = false;
};

}  // namespace rhizome::core
