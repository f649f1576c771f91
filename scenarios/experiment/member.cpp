#include "scenarios/experiment/member.hpp"

namespace rhizome::scenarios {

std::vector<Member> members_of(const core::Mesh& mesh) {
  std::vector<Member> members;
  for (std::uint32_t process = 0; process < mesh.size(); ++process) {
    const core::ProcessIdentity& identity = mesh.process(process);
    members.push_back(
        {.host = identity.host, .cores = identity.cores, .host_cores = identity.host_cores});
  }
  return members;
}

}  // namespace rhizome::scenarios
