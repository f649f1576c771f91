// The keys of [provision].
#include "scenarios/format/keys.hpp"

#include <string>

#include "scenarios/format/section_parts.hpp"

namespace rhizome::scenarios {

namespace {

constexpr std::string_view of_provision =
    "Self adjusted auto provision system, TODO - auto-scaling";

std::string policy_meanings() {
  std::string text = "Decides which peers are there: ";
  bool first = true;
  for (const auto& policy : agents::provision::policies()) {
    if (!first) text += "; ";
    first = false;
    text += std::string(policy.word) + ", " + std::string(policy.meaning);
  }
  return text + ".";
}

core::Settings<ProvisionSection> provision_settings() {
  using S = ProvisionSection;
  static const std::string policies = policy_meanings();
  core::Settings<S> all;
  all.add("policy", &S::policy, words_of(agents::provision::policies()), {policies, of_provision})
      .add("min_nodes", &S::min_nodes,
           {"The least number of held nodes: MinN.", of_provision, 1, most_peers})
      .add("max_nodes", &S::max_nodes,
           {"The greatest number of held nodes: MaxN; 0: all peers that every scheduler can drain. "
            "More finishes sooner and costs more.",
            of_provision, 0, most_peers})
      .add("start_nodes", &S::start_nodes,
           {"Held nodes at the start; 0: min_nodes.", "our choice", 0, most_peers})
      .add("interval", &S::interval,
           {"Time between two decisions. Less follows the work more closely.", "our choice", 0.01,
            hours})
      .add("startup", &S::startup,
           {"Time from the reservation of a node until it works; it counts as cost.", "our choice",
            0, hours})
      .add("probation", &S::probation,
           {"Idle time of a node before it may be drained; 0: any node may be drained, and a busy "
            "one "
            "finishes its tasks first.",
            "Self adjusted auto provision system: probation of idle worker", 0, hours})
      .add("step", &S::step,
           {"The most nodes that one decision adds or releases; 0: as many as the policy wants.",
            "our choice; the source gives the direction only", 0, most_peers})
      .add("time_unit", &S::time_unit,
           {"The unit of Time in (Required_top - IdleN) * Time. Less yields to other users sooner.",
            "our choice; the source names no unit", 1e-3, long_time})
      .add("margin", &S::margin,
           {"The least distance of the index from 0 for a change, in nodes. More changes less "
            "often.",
            "our choice", 0, most_peers})
      .add("target", &S::target,
           {"Unfinished tasks per node. More holds fewer nodes.", "our choice", 1e-3, 1e6})
      .add("cluster", &S::cluster,
           {"Nodes of the cluster, which other users use as well; 0: max_nodes.", "our choice", 0,
            most_peers})
      .add("others", &S::others,
           {"A log of the jobs of other users in the Standard Workload Format; each waits for its "
            "nodes first come first served, and a processor counts as a node. \"\": none."})
      .add("time_compression", &S::time_compression,
           {"Divides the times between submissions in the log.", "our choice", 1e-6, 1e9})
      .add("other_jobs", &S::other_jobs,
           {"Jobs of other users, all alike, if there is no log.", "our choice", 0, 1e6})
      .add("other_nodes", &S::other_nodes,
           {"Nodes that each of them needs.", "our choice", 1, most_peers})
      .add("other_time", &S::other_time,
           {"How long each of them runs.", "our choice", 0, long_time})
      .add("other_spacing", &S::other_spacing,
           {"Time between two of them; 0 has all submitted at once.", "our choice", 0, long_time});
  return all;
}

}  // namespace

std::vector<Section> provision_sections() {
  return {
      {.name = "provision",
       .about = "Provisioning: nodes of a cluster are reserved and released by need, as peers that "
                "join and leave.",
       .settings = provision_settings().list(),
       .conditions = conditions_of(agents::provision::policies(), "policy"),
       .address = [](Scenario& scenario, std::size_t) -> void* { return &scenario.provision; }}};
}

}  // namespace rhizome::scenarios
