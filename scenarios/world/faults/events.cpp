#include "scenarios/world/faults/events.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "scenarios/text/duration_text.hpp"

namespace rhizome::scenarios {

namespace {

using core::Fault;
using core::PeerId;
using core::Time;

// Positions in order of time; at equal times in the order of the file.
std::vector<std::size_t> by_time(std::span<const FaultEventSection> events) {
  std::vector<std::size_t> order(events.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return events[a].at < events[b].at; });
  return order;
}

std::string text_of(Time time) { return duration_text(time.time_since_epoch()); }

// Follows every peer through its events.
class Histories {
 public:
  // Takes an event; returns why it is impossible, or nothing.
  std::string take(const FaultEventSection& event) {
    std::vector<Outage>& outages = outages_[PeerId{event.peer}];
    const std::string reason = refusal(outages, event);
    if (reason.empty()) apply(outages, event);
    return reason.empty() ? reason
                          : "peer " + std::to_string(event.peer) + " cannot " +
                                std::string(core::name_of(event.kind)) + " at " +
                                duration_text(event.at) + ": " + reason;
  }
  [[nodiscard]] const std::map<PeerId, std::vector<Outage>>& outages() const { return outages_; }

 private:
  static std::string refusal(const std::vector<Outage>& outages, const FaultEventSection& event) {
    const bool gone = !outages.empty() && Time{} + event.at < outages.back().until;
    if (event.kind == Fault::Kind::join)
      return outages.empty() ? "" : "it has been there before, so it can only restart";
    if (event.kind != Fault::Kind::restart)
      return gone ? "it is gone since " + text_of(outages.back().from) : "";
    if (!gone) return "it is alive";
    return outages.back().until == for_good
               ? ""
               : "it does so at " + text_of(outages.back().until) + " anyway";
  }

  static void apply(std::vector<Outage>& outages, const FaultEventSection& event) {
    const Time at = Time{} + event.at;
    if (event.kind == Fault::Kind::join) {
      outages.push_back({before_the_start, at});
    } else if (event.kind == Fault::Kind::restart) {
      outages.back().until = at;
    } else {
      outages.push_back(outage_after(at, event.restart_after, event.kind));
    }
  }

  std::map<PeerId, std::vector<Outage>> outages_;
};

}  // namespace

std::optional<Contradiction> find_contradiction(std::span<const FaultEventSection> events) {
  Histories histories;
  for (const std::size_t i : by_time(events)) {
    std::string reason = histories.take(events[i]);
    if (!reason.empty()) return Contradiction{i, std::move(reason)};
  }
  return {};
}

void add_events(Outages& outages, std::span<const FaultEventSection> events) {
  Histories histories;
  for (const std::size_t i : by_time(events)) histories.take(events[i]);
  for (const auto& [peer, list] : histories.outages())
    for (const Outage& outage : list) outages.add(peer, outage);
}

}  // namespace rhizome::scenarios
