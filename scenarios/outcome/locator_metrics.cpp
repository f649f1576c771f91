// The metrics of tasks that move while other tasks look for them: the cost of finding them, and the
// forwarders that are left behind (Peterson, dissertation, section 7: "the burden created by these
// forwarded messages").
#include <algorithm>
#include <functional>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "scenarios/outcome/locator_messages.hpp"
#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

using namespace agents::locator;
using agents::TaskId;

// The metric does not apply where no task is found by a locator.
template <class F>
std::function<double(const Outcome&)> of_locators(F f) {
  return [f](const Outcome& outcome) {
    return outcome.facts.any<TaskSettled>() ? f(outcome) : not_applicable;
  };
}

double mean_hops(const Outcome& outcome) {
  std::vector<double> hops;
  for (const auto& noted : outcome.facts.of<DatumGiven>()) hops.push_back(noted.fact.hops);
  return mean(hops);
}

double most_hops(const Outcome& outcome) {
  const auto& given = outcome.facts.of<DatumGiven>();
  if (given.empty()) return not_applicable;
  return std::ranges::max_element(
             given, [](const auto& a, const auto& b) { return a.fact.hops < b.fact.hops; })
      ->fact.hops;
}

// The mean time from the end of the giving task until its datum is given.
double mean_delay(const Outcome& outcome) {
  std::map<TaskId, Time> done;
  for (const auto& noted : outcome.facts.of<agents::TaskExecuted>())
    done.try_emplace(noted.fact.task, noted.at);
  std::vector<double> delays;
  for (const auto& noted : outcome.facts.of<DatumGiven>())
    if (const auto since = done.find(noted.fact.giver); since != done.end())
      delays.push_back(core::seconds(noted.at - since->second));
  return mean(delays);
}

// The number of forwarders that exist at a time, over the makespan.
struct Alive {
  double mean = 0;
  double most = 0;
  double at_end = 0;
};

Alive alive(const Outcome& outcome) {
  const auto [begin, end] = makespan_of(outcome);
  double now = 0;
  double sum = 0;
  double most = 0;
  Time since = begin;
  const auto pass = [&](Time at) {
    const Time until = std::clamp(at, begin, end);
    sum += now * core::seconds(until - since);
    since = until;
  };
  outcome.facts.in_order<ForwarderLeft, ForwarderGone>([&](const auto& noted) {
    pass(noted.at);
    now += std::is_same_v<std::decay_t<decltype(noted.fact)>, ForwarderLeft> ? 1 : -1;
    most = std::max(most, now);
  });
  pass(end);
  const double span = core::seconds(end - begin);
  return {span > 0 ? sum / span : 0, most, now};
}

template <class Which>
double messages(const Outcome& outcome, Which which) {
  double sent = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (which(row)) sent += static_cast<double>(row.sent.messages);
  return sent;
}

double locations(const Outcome& outcome) {
  const LocatorMessages of(outcome);
  return messages(outcome,
                  [&of](const core::BurdenRow& row) { return of.name(row) == "location"; });
}

double per_dependency(const Outcome& outcome) {
  const auto data = static_cast<double>(outcome.facts.of<DatumPromised>().size());
  const LocatorMessages of(outcome);
  const double sent =
      messages(outcome, [&of](const core::BurdenRow& row) { return of.serves_data(row); });
  return data == 0 ? not_applicable : sent / data;
}

// The bytes of data sent beyond the first message of each datum, by forwarders or by sending it
// again.
double bytes_again(const Outcome& outcome) {
  std::map<std::pair<TaskId, TaskId>, double> sizes;
  for (const auto& noted : outcome.facts.of<DatumPromised>())
    sizes[{noted.fact.task, noted.fact.giver}] = static_cast<double>(noted.fact.bytes);
  double bytes = 0;
  for (const auto& noted : outcome.facts.of<DatumGiven>())
    bytes += sizes[{noted.fact.task, noted.fact.giver}] * (noted.fact.hops - 1);
  for (const auto& noted : outcome.facts.of<DatumSent>())
    if (noted.fact.again) bytes += sizes[{noted.fact.task, noted.fact.giver}];
  return bytes;
}

// A search that still waits at the end counts until the end.
double held_time(const Outcome& outcome) {
  double held = 0;
  double waiting = 0;
  outcome.facts.in_order<SearchHeld, SearchReleased>([&](const auto& noted) {
    const bool begins = std::is_same_v<std::decay_t<decltype(noted.fact)>, SearchHeld>;
    held += (begins ? -1 : 1) * core::seconds(noted.at - Time{});
    waiting += begins ? 1 : -1;
  });
  return held + waiting * core::seconds(outcome.ended - Time{});
}

}  // namespace

std::vector<Metric> locator_metrics() {
  return {
      {"datum_hops", "hops of a datum", "messages",
       "Messages that brought one result of a task to a dependent task; the mean over such data. 1 "
       "if the first message went to the right peer.",
       false, Better::less, of_locators(mean_hops)},
      {"datum_hops_most", "  most hops", "messages", "The same, the maximum over such data.", false,
       Better::less, of_locators(most_hops)},
      {"datum_delay", "delay of a datum", "s",
       "Time from the end of a task until a dependent task has its result, including the search "
       "for the dependent task; the mean over such data.",
       false, Better::less, of_locators(mean_delay)},
      {"forwarders", "forwarders", "", "Number of existing forwarders; the mean over the makespan.",
       false, Better::less, of_locators([](const Outcome& o) { return alive(o).mean; })},
      {"forwarders_most", "  most at a time", "",
       "The largest number of forwarders that existed at the same time.", false, Better::less,
       of_locators([](const Outcome& o) { return alive(o).most; })},
      {"forwarders_left", "  at the end", "", "Forwarders that existed at the end of the run.",
       false, Better::less, of_locators([](const Outcome& o) { return alive(o).at_end; })},
      {"location_messages", "location messages", "messages",
       "Messages that report where a task is.", false, Better::less, of_locators(locations)},
      {"messages_per_dependency", "messages of a dependency", "messages",
       "Messages of locators, without those that move tasks, over the results sent between "
       "dependent tasks.",
       false, Better::less, of_locators(per_dependency)},
      {"data_bytes_again", "bytes of data carried again", "bytes",
       "Bytes of results between dependent tasks that were sent again: forwarded, or repeated from "
       "the start.",
       false, Better::less, of_locators(bytes_again)},
      {"search_wait", "wait of searches", "s",
       "Time for which messages that looked for a task waited at a peer, in total: while the task "
       "was moving from there, or until its position was reported.",
       false, Better::less, of_locators(held_time)},
  };
}

}  // namespace rhizome::scenarios
