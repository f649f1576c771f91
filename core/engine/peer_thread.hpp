// The loop of a peer's thread: receive messages, handle due events, sleep.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "core/engine/agenda.hpp"
#include "core/engine/border.hpp"
#include "core/engine/host.hpp"
#include "core/engine/transport.hpp"
#include "core/engine/wall_clock.hpp"
#include "core/engine/work_pool.hpp"
#include "core/history/track_writer.hpp"
#include "core/peer/input.hpp"

namespace rhizome::core {

// Where the thread that asks for inputs leaves them for the threads of their peers.
class InputDesk {
 public:
  // The ticket with which it can be taken, once.
  std::uint32_t leave(Input input) {
    const std::scoped_lock lock(mutex_);
    left_.emplace(last_, std::move(input));
    return last_++;
  }
  [[nodiscard]] Input take(std::uint32_t ticket) {
    const std::scoped_lock lock(mutex_);
    return std::move(left_.extract(ticket).mapped());
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, Input> left_;
  std::uint32_t last_ = 0;
};

// What all peer threads of an engine share. Everything here is const, atomic or locks by itself.
struct EngineShared {
  // `local` has an inbox for each peer of the share; there is a gateway unless the share has all
  // peers.
  EngineShared(const EngineSetup& setup, double time_scale, std::unique_ptr<Transport> local,
               const Share& share, Gateway* gateway, std::shared_ptr<HistoryWriter> recorded_in);

  Commons commons;
  WallClock clock;
  InputDesk inputs;
  std::unique_ptr<Transport> transport;
  Border* border = nullptr;  // the transport, unless the share has all peers
  WorkPool pool;
  std::shared_ptr<HistoryWriter> history;  // none: the run is not recorded
  std::atomic<bool> stopping{false};

  // Whether peers are to stop. Every peer thread sees a request to stop by itself, since the thread
  // that conducts the run may wait for its turn among thousands. Once the conductor stops the
  // peers, for any reason, the request is not read any more.
  [[nodiscard]] bool over() const {
    return stopping.load(std::memory_order_acquire) || commons.stopped();
  }
};

// Belongs to its thread from run() on; read by the engine once the thread has been joined.
class PeerThread final : private Backend {
 public:
  PeerThread(PeerId id, EngineShared& shared);

  // Builds the peer; may be slow, and time has not begun. Not called for one that joins later.
  void prepare() { host_.prepare(); }
  // Starts the peer, if there is one yet, and serves it until the run is over.
  void run();
  // After the join: packets that were kept count as in flight at their receivers, as in a replay,
  // which does not know that the run had ended; those for other processes at their senders.
  friend void count_kept(std::deque<PeerThread>& threads, std::uint32_t peers);
  // After the join: what still lies in the inbox and the agenda counts as in flight.
  void conclude(Time ended, EngineReport& report);
  // Writes the rest of the history; may also be called after the join.
  void close_history() {
    if (track_) track_->close();
  }

  [[nodiscard]] PeerId id() const { return host_.id(); }
  // May be read from any thread while it runs.
  [[nodiscard]] const Recorder& recorder() const { return host_.recorder(); }

 private:
  struct Due {
    HostEvent event{};
    Time at{};
    PacketHeader header{};
    Bytes payload{};
    std::uint64_t number = 0;  // as in Matter
  };
  // A packet that has come, and which one of its sender's it is.
  struct Incoming {
    Packet packet;
    std::uint64_t number;
    [[nodiscard]] Matter matter() const { return {.packet = &packet, .number = number}; }
  };

  void step();
  void start();
  void receive(const Delivery& delivery);
  void handle(const Due& due);
  void complete(const Delivery& delivery);
  void strike(const HostEvent& fault);
  void accept(const Incoming& incoming);
  void arrive(const Incoming& incoming);
  void deliver(const Incoming& incoming);
  // Lets a packet wait here until it is due.
  void keep(const HostEvent& event, const Matter& matter);
  // An event was due then and has been handled.
  void handled(Histogram& lags, Time due);
  // Writes down how late an event was, or how long its handling took.
  void measure(Histogram& lags, Duration lag);
  void after_handler();
  // Records a stall if the thread did nothing for long after `due`, when an event was due.
  void idle_since(Time due);

  void arm(PeerId host, Time due, const HostEvent& event) override;
  void hold(PeerId host, const HostEvent& event, const Matter& packet) override;
  void put(const PacketHeader& header, std::span<const std::byte> payload) override;
  bool begin(PeerId host, Incarnation life, WorkId id, const Work& work) override;
  void pace(PeerId host, Incarnation life, WorkId id, double rate) override;
  void abandon(PeerId host, Incarnation life, WorkId id) override;
  void launch(PeerId peer) override;
  void crowded(std::span<const PeerId> peers) override;

  EngineShared& shared_;
  Inbox& inbox_;
  Effects effects_;
  Host host_;
  std::unique_ptr<TrackWriter> track_;  // set in a run that is recorded
  std::uint64_t packets_ = 0;           // put on their way by this thread
  std::vector<PeerId> kept_{};          // receivers of packets not sent, since the run had ended
  Agenda<Due> agenda_;
  Fidelity fidelity_;
  Time now_{};
};

void count_kept(std::deque<PeerThread>& threads, std::uint32_t peers);

}  // namespace rhizome::core
