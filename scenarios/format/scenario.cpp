#include "scenarios/format/scenario.hpp"

#include "scenarios/format/work_keys.hpp"

namespace rhizome::scenarios {

std::vector<std::pair<std::string, std::string*>> files_of(Scenario& of) {
  std::vector<std::pair<std::string, std::string*>> files{
      {"graph.file", &of.graph.file},
      {"workload.file", &of.workload.file},
      {"network.file", &of.network.file},
      {"faults.lifetimes.file", &of.faults.lifetimes.file},
      {"provision.others", &of.provision.others},
      {"costs", &of.costs}};
  for (const auto& [key, file] : work_files(of.workload))
    files.emplace_back("workload." + key, file);
  return files;
}

}  // namespace rhizome::scenarios
