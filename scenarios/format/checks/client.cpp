#include <string>

#include "agents/schedulers.hpp"
#include "scenarios/format/checks/checks.hpp"

namespace rhizome::scenarios {

void check_client(const Written& written, Scenario& scenario) {
  if (!scenario.protocols) return;
  if (!scenario.said.contains("client.workload"))
    refuse(written.where("protocol#0", "command"),
           "[[protocol]] needs clients: say in [client] what they ask, with the key \"workload\": "
           "echo, unique-ids, broadcast, g-counter, lin-kv or peer-sampling");
  if (scenario.client.workload == agents::program::Clients::peer_sampling) return;
  for (std::size_t i = 0; i < scenario.schedulers.size(); ++i)
    if (const agents::Scheduler* built_in = scenario.schedulers[i].scheduler;
        built_in->name != agents::program_name)
      refuse(written.where("client", "workload"),
             "the built-in overlay \"" + std::string(built_in->name) +
                 "\" serves \"peer-sampling\" only; other workloads need programs");
}

}  // namespace rhizome::scenarios
