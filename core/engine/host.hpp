// A host: one address of a run, under whatever engine. It keeps the lives of its peer, its access
// line, its link stream and its recorder, and it alone interprets effects; works are a part of it.
// The engine, behind a backend, decides when events happen.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/engine/board.hpp"
#include "core/engine/census.hpp"
#include "core/engine/crowd.hpp"
#include "core/engine/directory.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/host_works.hpp"
#include "core/engine/share.hpp"
#include "core/history/witness.hpp"
#include "core/peer/interface.hpp"

namespace rhizome::core {

// What an engine does for its hosts, each in one thread at a time.
class Backend : public Interface {
 public:
  // The host is to hear of a timer, or of the end of work.
  virtual void arm(PeerId host, Time due, const HostEvent& event) = 0;
  // The host is to hear of a packet that waits at its line until it is due there.
  virtual void hold(PeerId host, const HostEvent& event, const Matter& packet) = 0;
  // A packet on its way to its receiver's host, where it is due at the header's time.
  virtual void put(const PacketHeader& header, std::span<const std::byte> payload) = 0;
  // Does work for real, and completes it at its host once it is done; false where work only takes
  // its time.
  [[nodiscard]] virtual bool begin(PeerId, Incarnation, WorkId, const Work&) { return false; }
  // For such work only. `pace`: it goes on at that rate. `abandon`: its result is not wanted any
  // more, and it ends at once.
  virtual void pace(PeerId, Incarnation, WorkId, double) {}
  virtual void abandon(PeerId, Incarnation, WorkId) {}
  // A peer is to begin a life unless it lives. Nothing where lives are another's affair, as of a
  // replay, which has them from its history.
  virtual void launch(PeerId) {}
  // The share of the processors that these peers share has changed: their hosts are to adapt.
  virtual void crowded(std::span<const PeerId>) {}
};

// What all hosts of an engine share; `setup` outlives it.
struct Commons {
  explicit Commons(const EngineSetup& engine_setup, const Share& share = {});
  const EngineSetup& setup;
  const std::vector<bool> present;  // by peer: at the start
  Directory directory;              // of all peers
  Census census;                    // of the share
  Crowd crowd;                      // of the share
  Board board;                      // of the share
  // Called before the run begins.
  void observed_by(const Observer& observer);
  std::shared_ptr<FactCount> counted;       // set where facts are counted; shared with the counter
  const std::atomic<bool>* stop = nullptr;  // what asks for the end of the run
  // Whether a stop was requested: peers that are not built by then are not needed any more.
  [[nodiscard]] bool stopped() const {
    return stop != nullptr && stop->load(std::memory_order_relaxed);
  }
};

// Stays where it is once it is seen.
class Host {
 public:
  // `effects` is memory for one event, of the thread that runs the host.
  Host(PeerId id, Commons& commons, Backend& backend, Effects& effects);

  // Sets the witness, which outlives this, before the first event.
  void witnessed_by(Witness& witness) {
    witness_ = &witness;
    works_.witnessed_by(witness);
  }

  // Builds the peer's first life, which may be slow; one that joins later has none yet.
  void prepare();
  // Handles any event. True if the peer has handled it, and for events that the host handles: a
  // crash of a living peer; a restart that has built a life, whose start is to follow; an arrival
  // whose packet waits at the line now. A packet for a dead peer does not wait at its line, and is
  // handled at once.
  bool handle(Time now, const HostEvent& event, const Matter& matter = {});
  // The host's work goes on at the share of its processors that it has now. Called within an event
  // of a host.
  void adapt(Time now) { works_.adapt(now); }

  // Whether packets of that header pass lines.
  [[nodiscard]] bool has_line(const PacketHeader& header) const {
    return line_ != nullptr && header.from != header.to;
  }

  // Values that the host's thread writes.
  [[nodiscard]] Vitals& vitals() { return recorder_.vitals(); }
  // A packet that was to set out could not.
  void dropped(Drop why) { recorder_.dropped(why); }
  // A packet of this host was duplicated.
  void duplicated() { recorder_.duplicated(); }
  // Whether a timer, or the end of work, is still waited for: it was not cancelled, stopped or
  // paced anew.
  [[nodiscard]] bool awaits(const HostEvent& event) const;
  // A packet was still under way when the run ended.
  void in_flight(std::uint64_t packets) { recorder_.in_flight(packets); }
  // Adds the host's results to the report. The host is not used afterwards.
  void conclude(Time ended, EngineReport& report);

  // An event for this service of its peer is to come. The host itself should be at hand already.
  void prefetch(std::size_t service) const {
    if (peer_) peer_->prefetch(service);
    recorder_.prefetch();
  }
  // The event is such a packet.
  void prefetch(const PacketHeader& header) const { recorder_.prefetch(header); }

  [[nodiscard]] PeerId id() const { return id_; }
  [[nodiscard]] Incarnation life() const { return life_; }
  [[nodiscard]] bool finished() const { return finished_; }
  [[nodiscard]] const Peer* peer() const { return peer_ ? &*peer_ : nullptr; }
  [[nodiscard]] const Recorder& recorder() const { return recorder_; }

 private:
  bool lives(Incarnation life) const { return peer_ && life == life_; }
  bool befall(Time now, const HostEvent& event, const Matter& matter);
  void start(Time now);
  bool crash(Time now);
  bool leave(Time now);
  // Builds the next life of a peer that crashed, left or joins.
  bool revive();
  void depart(const HostEvent& departure, const Packet& packet);
  bool arrive(const Matter& matter);
  bool deliver(Time now, const Packet& packet);
  bool fire(Time now, const HostEvent& timer);
  // An input before the first life waits for that life.
  bool hear(Time now, const Input& input);
  bool complete(Time now, const HostEvent& end, const Result* result);
  void stop();
  void finish(bool finished);
  // Publishes the life and the state of the peer; called after every change.
  void show_presence();
  // Shows the view of one service, or of all, if an observer wants views.
  void show_view(std::size_t service) {
    if (Views* views = commons_.board.wanted_views()) show_view(*views, service);
  }
  void show_view(Views& views, std::size_t service);
  void show_views();
  // What other threads change, as it is to be seen here.
  [[nodiscard]] std::optional<Incarnation> life_of(PeerId peer);

  void perform(Time now);
  void perform(Time now, const Send& send);
  void perform(Time now, const Arm& arm);
  void perform(Time now, const Cancel& cancel);
  void perform(Time now, const StartWork& start);
  void perform(Time now, const StopWork& stop);
  void perform(Time now, const PaceWork& pace);
  void perform(Time now, const Note& note);
  void perform(Time now, const Refuse& refuse);
  void perform(Time now, const Finish& finish);
  void perform(Time now, const FinishPassively& rest);
  void perform(Time now, const Resume& resume);
  void perform(Time now, const Launch& launch);
  void perform(Time now, const Quit& quit);
  void transmit(Time departure, PacketHeader header, std::span<const std::byte> payload);

  const PeerId id_;
  Commons& commons_;
  Backend& backend_;
  Effects& effects_;
  Witness* witness_ = nullptr;  // set in a run that is recorded or replayed
  std::optional<Peer> peer_;    // empty while it is down
  Incarnation life_;
  bool finished_ = false;
  bool quits_ = false;  // once the present event is over
  Rng link_rng_;
  Recorder recorder_;
  HostWorks works_;
  std::unique_ptr<AccessLine> line_;
  std::uint64_t departures_ = 0;               // packets that have waited there to set out
  std::unique_ptr<std::vector<Input>> early_;  // inputs of a peer that has not joined yet
};

}  // namespace rhizome::core
