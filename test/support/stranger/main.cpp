// All that strangers try at the doors of a run under way, of which they have read the descriptors:
// noise, a claim of 512 MiB, 300 silent connections, and packets, sent with no key, with a wrong
// one, or with the public key of the listening process.
//   rhizome_stranger DIRECTORY PROCESSES PEERS    the directory in which the processes have met
#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "core/mesh/process_descriptor.hpp"
#include "test/support/strangers.hpp"

namespace {

using namespace rhizome;

std::vector<core::ProcessDescriptor> cards_in(const std::string& directory,
                                              std::uint32_t processes) {
  std::vector<std::string> texts;
  for (std::uint32_t rank = 0; rank < processes; ++rank) {
    std::ifstream in(directory + "/descriptor-" + std::to_string(rank));
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return core::read_descriptors(texts);
}

// False where one of the doors is shut.
bool disturb(const core::ProcessDescriptor& descriptor, std::uint32_t peers) {
  const auto processes = static_cast<std::uint32_t>(descriptor.endpoints.size());
  const core::KeyPair own = core::KeyPair::make();
  std::deque<test::Stranger> strangers;
  std::deque<test::Caller> callers;
  bool reached = true;
  for (std::uint32_t other = 0; other < processes; ++other) {
    const std::string& door = descriptor.endpoints[other];
    if (door.empty()) continue;
    if (!callers.emplace_back(door).connected()) {
      reached = false;
      continue;
    }
    const core::PeerId from{other * peers / processes};  // a peer of that process
    for (const std::string& key : {descriptor.key, own.open, std::string()})
      strangers.emplace_back(door, key, own, from);
    for (int i = 0; i < 300; ++i) reached = callers.emplace_back(door).connected() && reached;
    callers.emplace_back(door).say(std::string(100'000, '\xff'));
    callers.emplace_back(door).say("GET / HTTP/1.1\r\n\r\n");
    callers.emplace_back(door).say(test::huge_claim());
  }
  std::this_thread::sleep_for(std::chrono::seconds(1));
  return reached;
}

}  // namespace

int main(int count, char** words) try {
  if (count != 4) {
    std::cerr << "usage: rhizome_stranger DIRECTORY PROCESSES PEERS\n";
    return 64;
  }
  const auto processes = static_cast<std::uint32_t>(std::stoul(words[2]));
  const auto peers = static_cast<std::uint32_t>(std::stoul(words[3]));
  return disturb(cards_in(words[1], processes).front(), peers) ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << "\n";
  return 1;
}
