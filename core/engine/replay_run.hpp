// A replay: the state of the engine, and the one loop that handles the recorded events in turn.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "core/engine/host.hpp"
#include "core/engine/replay_engine.hpp"
#include "core/history/held_to.hpp"
#include "core/history/track_reader.hpp"

namespace rhizome::core {

class ReplayEngine::Run final : public Backend {
 public:
  Run(EngineSetup setup, const History& history, ReplayStop stop);

  EngineReport run(const Observer& observer);

  [[nodiscard]] bool whole() const { return whole_; }
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] std::uint64_t events() const { return events_; }
  [[nodiscard]] PeerId last() const { return last_; }
  [[nodiscard]] const Host& host(PeerId id) const { return stations_.at(id.value).host; }

 private:
  struct Letter {
    PacketHeader header{};
    Bytes payload{};
    [[nodiscard]] Packet packet() const { return {header, payload}; }
  };
  struct Departure {
    HostEvent event{};
    Letter letter{};
  };
  // A host, its record, and the packets that it has put on their way.
  struct Station {
    Station(PeerId id, Run& run, std::span<const std::byte> entries);
    TrackReader track;
    HeldTo record;
    Host host;
    std::map<std::uint64_t, Letter> sent;  // by number; not taken by their receivers yet
    std::map<std::uint64_t, Departure> at_line;
    std::uint64_t packets = 0;  // put on their way by this peer
    std::uint64_t coming = 0;   // packets that are on their way to it
  };
  using Turn = std::pair<Time, PeerId>;  // by time, and at one time by peer

  [[nodiscard]] Station& at(PeerId id) { return stations_[id.value]; }
  void line_up(PeerId id);
  // Handles the next event; false where there is none, or the replay is to stop before it.
  bool step();
  [[nodiscard]] bool misses_packet(const RecordedEvent& event) const;
  void handle(Station& station, const RecordedEvent& event);
  void handle_now(Station& station, const RecordedEvent& event);
  void take_packet(Station& station, const RecordedEvent& event);
  void depart(Station& station, std::uint64_t number);
  void hear(Station& station, std::uint64_t ticket);
  [[noreturn]] void differ(Time at, PeerId peer, const std::string& how) const;
  [[noreturn]] void differ_for_want(Turn turn);
  void look_for(PeerId peer, const Effects& effects);
  void check_end() const;
  [[nodiscard]] EngineReport report();

  void arm(PeerId, Time, const HostEvent&) override {}  // the record says when a timer fires
  void hold(PeerId host, const HostEvent& event, const Matter& matter) override;
  void put(const PacketHeader& header, std::span<const std::byte> payload) override;
  bool begin(PeerId host, Incarnation, WorkId, const Work&) override {
    return at(host).track.real();
  }
  // Only the host whose event is handled adapts now: the record tells when others adapt.
  void crowded(std::span<const PeerId> peers) override;

  const EngineSetup setup_;
  const History& history_;
  const ReplayStop stop_;
  Commons commons_;
  Effects effects_;
  std::deque<Station> stations_;
  std::set<Turn> next_;     // hosts with a next event, but for those waiting
  std::set<Turn> waiting_;  // hosts whose next event takes a packet that is not yet sent
  std::map<std::pair<PeerId, std::uint64_t>, PeerId> awaited_;  // by packet: the waiting host
  std::map<std::uint64_t, Input> inputs_;                       // inputs that are due, by ticket
  std::uint64_t tickets_ = 0;
  Time now_{};
  PeerId last_ = no_peer;
  std::uint64_t events_ = 0;
  bool hit_ = false;  // the replay has come to the fact at which it is to stop
  bool whole_ = false;
};

}  // namespace rhizome::core
