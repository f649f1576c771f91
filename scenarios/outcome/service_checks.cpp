#include <map>
#include <utility>

#include "agents/program/protocols.hpp"
#include "agents/scheduler.hpp"
#include "scenarios/outcome/findings.hpp"
#include "scenarios/outcome/service.hpp"

namespace rhizome::scenarios {

namespace {

using agents::ServiceLost, agents::TaskExecuted, agents::TaskStarted;

class Accounts {
 public:
  explicit Accounts(const Outcome& outcome) : outcome_(outcome) {
    for (const core::Fault& fault : outcome.faults)
      if (fault.kind == core::Fault::Kind::crash || fault.kind == core::Fault::Kind::leave)
        deaths_[fault.peer].push_back(fault.at);
  }

  std::vector<BusyPeriod> keep() {
    outcome_.facts.in_order<TaskStarted, TaskExecuted, ServiceLost>([this](const auto& noted) {
      if (outcome_.peers.at(noted.peer.value).slots == 1) {
        bury(noted.peer, noted.at);
        take(noted);
      }
      return true;
    });
    for (const auto& [peer, times] : deaths_) bury(peer, Time::max());
    return std::move(periods_);
  }

 private:
  struct Open {
    BusyPeriod period;
    std::size_t begun = 0;
  };

  void take(const Noted<TaskStarted>& noted) {
    Open& open = open_[noted.peer];
    if (open.begun++ > 0)
      open.period.interrupted = true;
    else
      open.period = {.peer = noted.peer, .began = noted.at};
  }
  void take(const Noted<TaskExecuted>& noted) { end(noted, noted.fact.took, Duration{0}); }
  void take(const Noted<ServiceLost>& noted) { end(noted, Duration{0}, noted.fact.service); }

  void end(const FactPlace& place, Duration took, Duration lost) {
    Open& open = open_[place.peer];
    if (open.begun == 0) return;
    open.period.took += took;
    open.period.lost += lost;
    if (--open.begun == 0) close(open, place.at);
  }
  // A peer that died until then had all that it had begun, and gave service until it died.
  void bury(core::PeerId peer, Time until) {
    const auto deaths = deaths_.find(peer);
    if (deaths == deaths_.end()) return;
    std::size_t& next = buried_[peer];
    for (; next < deaths->second.size() && deaths->second[next] <= until; ++next) {
      Open& open = open_[peer];
      if (open.begun == 0) continue;
      const Time died = deaths->second[next];
      open.begun = 0;
      open.period.cut = true;
      open.period.lost = std::max(Duration{0}, died - open.period.began - open.period.took);
      close(open, died);
    }
  }
  void close(Open& open, Time at) {
    open.period.ended = at;
    periods_.push_back(open.period);
  }

  const Outcome& outcome_;
  std::map<core::PeerId, std::vector<Time>> deaths_;
  std::map<core::PeerId, std::size_t> buried_;
  std::map<core::PeerId, Open> open_;
  std::vector<BusyPeriod> periods_;
};

}  // namespace

std::vector<BusyPeriod> busy_periods(const Outcome& outcome) {
  const std::string& name = outcome.identity.scheduler;
  const agents::Scheduler* scheduler = agents::find_scheduler(name);
  if (scheduler == nullptr) scheduler = agents::program::find_protocol(name);
  if (scheduler == nullptr || !scheduler->serves) return {};
  return Accounts(outcome).keep();
}

// A server without interruptions may share its processor with other peers, and give less than the
// time that passes; it never gives more. Divided service is rounded to nanoseconds.
void check_service(const Outcome& outcome, Findings& findings) {
  for (const BusyPeriod& period : busy_periods(outcome)) {
    if (period.cut) continue;
    const Duration span = period.ended - period.began;
    const Duration given = period.took + period.lost;
    const Duration rounding = std::chrono::microseconds(1) + span / 1'000'000;
    if (given <= span + rounding && (!period.interrupted || given >= span - rounding)) continue;
    findings.add("service-conserved", period.peer, period.ended, [&] {
      return name_of(period.peer) + " was busy for " + std::to_string(core::seconds(span)) +
             " s, in which its tasks were given " + std::to_string(core::seconds(given)) + " s" +
             findings.trail<TaskStarted, TaskExecuted, ServiceLost>(
                 [&](const FactPlace& place) { return place.peer == period.peer; }, period.ended);
    });
  }
}

}  // namespace rhizome::scenarios
