#include "scenarios/format/checks/checks.hpp"

namespace rhizome::scenarios {

void check_client(const Written& written, Scenario& scenario) {
  if (!scenario.protocols || scenario.said.contains("client.workload")) return;
  refuse(written.where("protocol#0", "command"),
         "[[protocol]] needs clients: say in [client] what they ask, with the key \"workload\": "
         "echo, unique-ids, broadcast, g-counter or lin-kv");
}

}  // namespace rhizome::scenarios
