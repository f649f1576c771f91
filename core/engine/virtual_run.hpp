// A run in virtual time: what the engine keeps, and the one loop that takes whatever is due next.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <queue>
#include <span>
#include <string>
#include <vector>

#include "core/engine/agenda.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/host.hpp"
#include "core/engine/pace.hpp"
#include "core/engine/packet_store.hpp"
#include "core/engine/steering.hpp"
#include "core/engine/virtual_engine.hpp"

namespace rhizome::core {

// The CPU cost of virtual time: when an event is handled, where handling costs something.
// First come, first served: at each peer, and at the cores that peers share.
class CpuCost {
 public:
  CpuCost(const CostModel& model, std::uint32_t peers)
      : model_(model), busy_until_(model.free() ? 0 : peers) {
    if (model.free()) return;
    for (std::uint32_t core = 0; core < model.cores; ++core) cores_.push(Time{});
  }

  [[nodiscard]] bool free() const { return model_.free(); }

  // When an event due at `due` for this peer is done. Call in the order in which events are due.
  Time pay(PeerId peer, Time due) {
    Time& busy_until = busy_until_[peer.value];
    const Time awake = busy_until > due ? busy_until : due + model_.wake_up;
    Time begin = awake;
    if (!cores_.empty()) {
      begin = std::max(awake, cores_.top());
      cores_.pop();
      cores_.push(begin + model_.handling);
    }
    return busy_until = begin + model_.handling;
  }

 private:
  CostModel model_;
  std::vector<Time> busy_until_;                                        // by peer
  std::priority_queue<Time, std::vector<Time>, std::greater<>> cores_;  // when each is free
};

class VirtualEngine::Run final : public Backend {
 public:
  explicit Run(EngineSetup setup);

  EngineReport run(const Observer& observer);
  bool run_until(Time time);
  void crash(PeerId id) { hosts_[id.value].handle(now_, {HostEvent::Kind::crash}); }
  void restart(PeerId id);

  [[nodiscard]] const Host& host(PeerId id) const { return hosts_[id.value]; }
  [[nodiscard]] Time now() const { return now_; }

 private:
  // What befalls a host, or a fault that strikes it.
  struct Due {
    HostEvent event{};
    std::optional<Fault::Kind> fault{};
    bool paid = false;       // waited for its handling already
    std::uint32_t slot = 0;  // of a packet: in the store; of an input: among those to be paid
    PeerId host{};

    [[nodiscard]] bool has_packet() const { return !fault && event.has_packet(); }
    // Whether it is a peer that handles it; lines and faults cost no processor's time.
    [[nodiscard]] bool costs_handling() const { return !fault && event.is_for_peer(); }
  };

  void start_once();
  bool step();
  // Executes the operator's commands.
  void obey(Steering& steering);
  [[nodiscard]] std::string obey(Steering& steering, OperatorCommand& operator_command);
  // Handles events until none is due within that time; false once the run has ended.
  bool settle(Duration instant);
  [[nodiscard]] Presence presence(PeerId id) const;
  // Some steps, as far as the pace leaves it; false once the run has ended.
  bool advance(Pace* pace);
  void foresee(const Due& due, Agenda<Due>::Nearness nearness) const;
  // Handles an event; true if it counts for the time of the end of the run, unlike events of lines.
  bool handle(const Due& due);
  bool handle_packet(const Due& due);
  [[nodiscard]] Time next() const;
  // When that is, or the end of the run.
  [[nodiscard]] Time coming() const;
  // Whether the run has ended, if this is when the next thing happens.
  [[nodiscard]] bool is_over(Time next);
  void take_input();
  bool handle_input(std::uint32_t slot);
  // Strikes a peer; true if that changes anything.
  bool strike(Fault::Kind fault, PeerId id);
  [[nodiscard]] Time deadline() const;
  [[nodiscard]] EngineReport report();

  void arm(PeerId host, Time due, const HostEvent& event) override;
  void hold(PeerId host, const HostEvent& event, const Matter& packet) override;
  void put(const PacketHeader& header, std::span<const std::byte> payload) override;
  void launch(PeerId peer) override;
  void crowded(std::span<const PeerId> peers) override;

  const EngineSetup setup_;
  Commons commons_;
  CpuCost cpu_cost_;
  Effects effects_;
  std::vector<Host> hosts_;
  Agenda<Due> agenda_;
  PacketStore store_;
  std::optional<Input> input_;  // the next one
  std::map<std::uint32_t, Input> unpaid_;
  std::uint32_t inputs_ = 0;  // inputs that came
  Time now_{};
  Time last_event_{};
  bool started_ = false;
  bool over_ = false;  // it ended before something could be done by hand
  Ending ending_ = Ending::limit;
};

}  // namespace rhizome::core
