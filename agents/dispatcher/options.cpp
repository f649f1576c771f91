#include "agents/dispatcher/options.hpp"

#include <algorithm>

namespace rhizome::agents::dispatching {

namespace {

constexpr double many = 1e6;
constexpr std::string_view report = "Bravi, Facchiano, Vestini, section 1.2";

void add_policy(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add(
          "policy", &O::policy,
          {"random", "round-robin", "jsq", "jsq-d", "lwl", "lwl-d", "jiq", "jbt-d", "threshold"},
          {"To which server a task goes: any, each in turn, the one with the fewest tasks (of all, "
           "or of some that are drawn), the one with the least unfinished work (the same), any "
           "that is idle, or any that is below a threshold, which is renewed, of tasks or of "
           "unfinished work.",
           "the report: lwl and threshold; the others are the field's"})
      .add(
          "dispatchers", &O::dispatchers,
          {"How many peers dispatch: the source, and the first of the others. Jobs are dealt among "
           "them in turn, and each has a view of its own. More share the burden and know less of "
           "each other.",
           "the report: 1", 1, 10'000})
      .add("servers", &O::servers, {"others", "all"},
           {"Who serves: the peers that do not dispatch, or all.", "the report: others"})
      .add("ties", &O::ties, {"random", "lowest"},
           {"Which of several servers that stand equally, or are free, is taken.", report})
      .add("choices", &O::choices,
           {"The d of jsq-d, lwl-d and jbt-d: how many servers are drawn. More choose better and "
            "cost 2 messages each.",
            "Mitzenmacher 2001: 2", 1, 10'000});
}

void add_threshold(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add(
          "renew", &O::renew,
          {"The T of jbt-d and threshold: time between two renewals of the threshold. Less follows "
           "the load more closely and costs more messages.",
           "our choice; the report leaves it open", 0.001, many})
      .add("sample", &O::sample,
           {"The K of threshold: how many servers are asked for a renewal. More lower it, so that "
            "better servers are taken, and it is renewed more often.",
            "our choice; the report leaves it open", 1, 10'000})
      .add("busy_rate", &O::busy_rate,
           {"Tasks a second above which, once no server is free, threshold takes the median of all "
            "servers instead of the least of a sample.",
            report, 0, many});
}

void add_recovery(core::Settings<Options>& settings) {
  using O = Options;
  settings
      .add("recovery", &O::recovery, {"where-needed", "always"},
           {"When results are acknowledged, and tasks and peers asked for: where the scenario may "
            "lose messages or peers, or always, as for faults by hand. Costs one message for each "
            "task, and two for each keep_alive of a server with old tasks.",
            "our choice"})
      .add(
          "patience", &O::patience,
          {"Time after which a result or a farewell without an answer is sent again; where packets "
           "travel for long, at least four of their longest delays. A question is repeated as soon "
           "as its answer is overdue on the network, and a server that has not answered for three "
           "times the patience is taken for dead.",
           "our choice", 0.001, many})
      .add(
          "keep_alive", &O::keep_alive,
          {"Time after which a task is asked for at its server, and without three answers taken to "
           "another. Less recovers sooner and costs more messages.",
           "our choice", 0.01, many})
      .add("give_up", &O::give_up,
           {"Time without a word from the source after which a peer gives up the run.",
            "our choice", 0.01, many});
}

}  // namespace

core::Settings<Options> settings() {
  core::Settings<Options> all;
  add_policy(all);
  add_threshold(all);
  add_recovery(all);
  return all;
}

// The times of the policy itself are no time-outs.
std::map<std::string_view, TimeoutPurpose> times() { return {{"renew", TimeoutPurpose::work}}; }

std::string refusal(const Options& options, const World& world) {
  const Options defaults;
  if (options.dispatchers > world.peers()) return "there are fewer peers than dispatchers";
  const std::size_t servers = servers_of(options, world).size();
  if (servers == 0)
    return "no peer is left to serve: let there be more peers, or servers = \"all\"";
  const bool draws = options.samples() || options.policy == Policy::jbt_d;
  if (!draws && options.choices != defaults.choices)
    return "choices has an effect only with policy = \"jsq-d\", \"lwl-d\" or \"jbt-d\"";
  if (draws && options.choices > servers) return "choices is more than there are servers";
  if (!options.has_threshold() && options.renew != defaults.renew &&
      options.renew != in_pace(defaults.renew, world, TimeoutPurpose::work))
    return "renew has an effect only with policy = \"jbt-d\" or \"threshold\"";
  const bool renews = options.policy == Policy::threshold;
  if (!renews && (options.sample != defaults.sample || options.busy_rate != defaults.busy_rate))
    return "sample and busy_rate have an effect only with policy = \"threshold\"";
  if (options.ties != defaults.ties &&
      (options.policy == Policy::random || options.policy == Policy::round_robin))
    return "ties has no effect with policy = \"random\" or \"round-robin\"";
  return {};
}

std::vector<core::PeerId> dispatchers_of(const Options& options, const World& world) {
  std::vector<core::PeerId> found{world.source};
  for (std::uint32_t i = 0; i < world.peers() && found.size() < options.dispatchers; ++i)
    if (core::PeerId{i} != world.source) found.push_back(core::PeerId{i});
  return found;
}

std::vector<core::PeerId> servers_of(const Options& options, const World& world) {
  std::vector<core::PeerId> found = world.all_peers();
  if (options.servers == Servers::all) return found;
  const std::vector<core::PeerId> dispatch = dispatchers_of(options, world);
  std::erase_if(found, [&](core::PeerId peer) {
    return std::find(dispatch.begin(), dispatch.end(), peer) != dispatch.end();
  });
  return found;
}

}  // namespace rhizome::agents::dispatching
