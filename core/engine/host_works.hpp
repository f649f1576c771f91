// The works of a host: how they begin, are paced and stopped, and when the next of them ends, at
// the rates that its peer wants and at the share of its processors that it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/history/witness.hpp"
#include "core/peer/vitals.hpp"
#include "core/peer/work.hpp"

namespace rhizome::core {

class Backend;
struct Commons;

class HostWorks {
 public:
  // `life` refers to the host's present life; all arguments outlive this.
  HostWorks(PeerId host, const Incarnation& life, Commons& commons, Backend& backend,
            Vitals& vitals)
      : id_(host), life_(life), commons_(commons), backend_(backend), vitals_(vitals) {}

  void witnessed_by(Witness& witness) { witness_ = &witness; }

  void begin(Time now, WorkId id, Work work);
  void stop(WorkId id);
  void pace(Time now, WorkId id, double rate);
  // All, with the life that began them.
  void abandon();
  // Continues all work at the share of processors that the host has now.
  void adapt(Time now);
  // An event has been handled: the next end is to be heard of.
  void settle(Time now) {
    if (std::exchange(shared_anew_, false)) arm_first_end(now);
  }
  // The work that has ended, which is removed; nothing if it was stopped or paced anew. With a
  // result it was executed for real; without one it took its emulated time, and its result is
  // computed now.
  [[nodiscard]] std::optional<WorkDone> end(Time now, const HostEvent& event, const Result* result);
  [[nodiscard]] bool awaits(const HostEvent& event) const;
  [[nodiscard]] std::size_t size() const { return works_.size(); }

 private:
  struct ActiveWork {
    WorkId id;
    Work work;
    Time started;
    bool real = false;
    double rate = 1;         // asked for by its protocol
    double share = 1;        // fraction of a processor, where peers share them
    Time since = started;    // at that rate and share
    Duration served{0};      // until then
    std::uint32_t turn = 0;  // how often it has been paced

    [[nodiscard]] double speed() const { return rate * share; }
    [[nodiscard]] bool crowds() const { return !real && rate > 0; }
    // Whether its protocol gives it only a part of a processor.
    [[nodiscard]] bool shares() const { return crowds() && rate != 1; }
  };
  [[nodiscard]] std::vector<ActiveWork>::iterator find(WorkId id);
  void erase(std::vector<ActiveWork>::iterator active);
  void abandon(const ActiveWork& active);
  void show();
  void arm_end(const ActiveWork& active, Time now);
  void arm_first_end(Time now);
  static void account(ActiveWork& active, Time now);
  void crowd(std::int32_t pieces);
  // What other threads change, as it is to be seen here.
  [[nodiscard]] bool join_crowd(std::int32_t pieces);
  [[nodiscard]] double share_of_processor();

  const PeerId id_;
  const Incarnation& life_;
  Commons& commons_;
  Backend& backend_;
  Vitals& vitals_;
  Witness* witness_ = nullptr;
  std::vector<ActiveWork> works_;
  std::size_t hint_ = 0;      // where the next work may stand that is looked for
  bool shared_anew_ = false;  // works that share have been paced, or fewer do
};

}  // namespace rhizome::core
