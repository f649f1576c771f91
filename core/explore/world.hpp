// The world of one history: hosts, and the coming events.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/engine/host.hpp"
#include "core/engine/packet_store.hpp"
#include "core/explore/explorer.hpp"
#include "core/explore/system.hpp"

namespace rhizome::core {

// What may happen next in a world that is explored.
struct Happening {
  enum class Kind : std::uint8_t {
    packet,
    work,
    input,
    timer,
    early,  // a timer that should have waited
    crash,
    restart,
    loss,
    duplicate
  };
  Kind kind{};
  PeerId peer{};            // whose it is
  std::size_t pending = 0;  // which of what is to come, where it is one of those

  [[nodiscard]] bool is_rare() const { return kind >= Kind::early; }
};

// Something that is to come.
struct Coming {
  Happening::Kind kind{};  // packet, work, input or timer
  PeerId peer{};
  Time due{};
  Fingerprint name = 0;    // what it is, whenever it comes
  bool patient = false;    // waits until nothing is left that does not
  HostEvent event{};       // of work and timers
  std::uint32_t slot = 0;  // of a packet in the store; of an input its place
};

class Explorer::World final : public Backend {
 public:
  World(const EngineSetup& setup, const ExplorerOptions& options, const std::vector<Input>& inputs,
        const std::function<void(const std::string&)>& listener);

  void start();
  // What may happen now, and its names, in the same order.
  void look();
  [[nodiscard]] const std::vector<Choice>& choices() const { return choices_; }
  // The event of that key; nullptr if it cannot happen.
  [[nodiscard]] const Happening* find(Fingerprint key) const;
  void take(const Happening& happening);
  [[nodiscard]] Fingerprint state();
  [[nodiscard]] const Broken& broken() const { return broken_; }
  [[nodiscard]] EngineReport report(bool over);
  [[nodiscard]] const std::vector<Fault>& struck() const { return struck_; }
  [[nodiscard]] std::string words(const Happening& happening) const;
  [[nodiscard]] const Host& host(PeerId id) const { return hosts_[id.value]; }
  [[nodiscard]] std::vector<const Peer*> peers() const;
  [[nodiscard]] std::uint32_t opaque() const;

 private:
  using Kind = Happening::Kind;
  // What of a peer tells states apart.
  struct Trace {
    Fingerprint past = 0;   // all that it has handled, in order
    Fingerprint notes = 0;  // facts that it has noted, in any order
    FactLog::Cursor noted{};
    Fingerprint dump = 0;
    bool seen = true;  // the state dump is of now
    bool opaque = false;
  };
  // The rest of each budget.
  struct Left {
    std::uint32_t early;
    std::uint32_t crashes;
    std::uint32_t restarts;
    std::uint32_t losses;
    std::uint32_t duplicates;
  };

  void arm(PeerId host, Time due, const HostEvent& event) override;
  void hold(PeerId, const HostEvent&, const Matter&) override {}  // there are no lines here
  void put(const PacketHeader& header, std::span<const std::byte> payload) override;

  void guarded(const std::function<void()>& handle);
  void handle(const Happening& happening);
  [[nodiscard]] Coming take_coming(std::size_t pending);
  void come(const Coming& coming);
  void deliver(const Coming& coming);
  void crash(PeerId id);
  void restart(PeerId id);
  void lose(const Coming& coming);
  void duplicate(Coming coming);
  // Drops packets under way to a life that has ended.
  void drop_stale();
  [[nodiscard]] bool is_dead(const Coming& coming) const;

  void look_at_quick();
  void look_at_timers(Kind kind);
  // When the first of the patient timers is due.
  [[nodiscard]] Time first_patient() const;
  void look_at_packets(Kind fault);
  void look_at_lives();
  void offer(const Happening& happening, Fingerprint name, std::uint64_t touches);
  // Whether the event may be the next of its peer: a patient timer only if it is the earliest one.
  [[nodiscard]] bool is_next(const Coming& coming) const;

  [[nodiscard]] static Fingerprint name_of(const Packet& packet);
  [[nodiscard]] Fingerprint name_of(PeerId host, const HostEvent& event) const;
  [[nodiscard]] Fingerprint trace_of(PeerId id);
  void read_notes(PeerId id, Trace& trace) const;
  [[nodiscard]] Fingerprint state_dump_of(PeerId id, Trace& trace) const;

  void tell(const std::string& line) const { listener_(line); }
  void tell_notes(PeerId id);
  [[nodiscard]] std::string words_of(const Packet& packet) const;

  const ExplorerOptions& options_;
  const std::vector<Input>& inputs_;
  const std::function<void(const std::string&)>& listener_;
  Commons commons_;
  Effects effects_;
  std::vector<Host> hosts_;
  std::vector<Time> clocks_;
  std::vector<Trace> traces_;
  std::vector<FactLog::Cursor> told_;
  PacketStore store_;
  std::vector<Coming> comings_;
  std::vector<Happening> happenings_;
  std::vector<Choice> choices_;
  Left left_;
  std::vector<Fault> struck_;
  Broken broken_;
};

}  // namespace rhizome::core
