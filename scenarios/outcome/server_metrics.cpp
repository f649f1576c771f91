// Metrics of single servers: how evenly they are used, and the cost of knowing their state.
#include <algorithm>
#include <cmath>
#include <set>

#include "scenarios/outcome/metrics.hpp"

namespace rhizome::scenarios {

namespace {

// A peer where tasks enter, and that never began one, only passes them on: it is no server.
std::set<core::PeerId> those_who_only_pass_on(const Outcome& outcome) {
  std::set<core::PeerId> peers;
  for (const auto& noted : outcome.facts.of<agents::TaskSubmitted>()) peers.insert(noted.peer);
  for (const auto& noted : outcome.facts.of<agents::TaskStarted>()) peers.erase(noted.peer);
  return peers;
}

// The utilisation of each server, which the literature calls rho_k.
std::vector<double> utilisations(const Outcome& outcome) {
  const auto [begin, end] = makespan_of(outcome);
  std::vector<double> all;
  if (end <= begin) return all;
  const std::set<core::PeerId> no_servers = those_who_only_pass_on(outcome);
  for (const PeerOutcome& peer : outcome.peers)
    if (!no_servers.contains(peer.id))
      all.push_back(core::seconds(peer.busy) / (peer.slots * core::seconds(end - begin)));
  return all;
}

// The standard deviation over all servers, which are the whole population and not a sample.
double deviation(const std::vector<double>& values) {
  if (values.empty()) return not_applicable;
  const double middle = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

double least(const std::vector<double>& values) {
  return values.empty() ? not_applicable : *std::ranges::min_element(values);
}
double most(const std::vector<double>& values) {
  return values.empty() ? not_applicable : *std::ranges::max_element(values);
}

bool is_about_state(const core::BurdenRow& row) {
  return row.message_class == core::MessageClass::information &&
         (row.cause == core::Cause::probe || row.cause == core::Cause::request);
}

double state_messages(const Outcome& outcome) {
  double sent = 0;
  for (const PeerOutcome& peer : outcome.peers)
    for (const core::BurdenRow& row : peer.burdens)
      if (is_about_state(row)) sent += static_cast<double>(row.sent.messages);
  return outcome.tasks.empty() ? not_applicable : sent / static_cast<double>(outcome.tasks.size());
}

}  // namespace

std::vector<Metric> server_metrics() {
  const auto of = [](double (*figure)(const std::vector<double>&)) {
    return [figure](const Outcome& outcome) { return figure(utilisations(outcome)); };
  };
  return {
      {"server_utilisation", "server utilisation", "",
       "Share of the time of a server's slots within the makespan that went into executions that "
       "ended; the mean over servers. Servers are all peers except those that only submit tasks.",
       false, Better::neither, of(mean)},
      {"server_utilisation_min", "  least used server", "", "The same of the server used least.",
       false, Better::more, of(least), "server utilisation, least used"},
      {"server_utilisation_max", "  most used server", "", "The same of the server used most.",
       false, Better::less, of(most), "server utilisation, most used"},
      {"server_utilisation_sd", "  deviation", "",
       "The standard deviation of the same over the servers; 0 if all are used alike.", false,
       Better::less, of(deviation), "server utilisation, deviation"},
      {"state_messages", "state messages per task", "messages",
       "Messages that request a place or work, or report the load of a server (causes probe and "
       "request, without those that carry tasks), over the number of tasks.",
       false, Better::less, state_messages},
  };
}

}  // namespace rhizome::scenarios
