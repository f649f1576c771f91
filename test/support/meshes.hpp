// Meshes of several processes in one, for tests.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "core/mesh/entrance.hpp"
#include "core/mesh/mesh.hpp"
#include "core/mesh/process_descriptor.hpp"
#include "test/support/crossing.hpp"

namespace rhizome::test {

inline core::MeshOptions options_of(const std::string& host) {
  return {.process = {.host = host, .version = "test"}};
}

// Several processes in this one, made in parallel as real ones; process 0 reports when it has met
// the others.
class Processes {
 public:
  explicit Processes(std::uint32_t count, core::MeshOptions options = options_of("here"),
                     const InMemory::Met& met = {})
      : place_(count), meshes_(count) {
    std::vector<std::thread> threads;
    for (std::uint32_t rank = 0; rank < count; ++rank)
      threads.emplace_back([this, rank, &options, &met] {
        InMemory rendezvous(place_, rank, rank == 0 ? met : InMemory::Met());
        meshes_[rank] = std::make_unique<core::Mesh>(rendezvous, options);
      });
    for (std::thread& thread : threads) thread.join();
  }
  core::Mesh& operator[](std::size_t rank) { return *meshes_[rank]; }
  [[nodiscard]] core::ProcessDescriptor descriptor(std::size_t rank) {
    return core::read_descriptors(place_.gather_again())[rank];
  }
  void end(std::size_t rank) { meshes_[rank].reset(); }

 private:
  MeetingPlace place_;
  std::vector<std::unique_ptr<core::Mesh>> meshes_;
};

inline core::RunOfMany run_of(const core::Placement& placement, std::uint32_t share,
                              std::uint32_t peers, std::uint32_t number = 1) {
  std::vector<std::uint32_t> processes;
  for (std::uint32_t i = 0; i < placement.shares(); ++i) processes.push_back(i);
  return {.number = number, .share = {placement, share}, .peers = peers, .processes = processes};
}

template <class Condition>
bool comes_true(Condition condition) {
  for (int tries = 0; tries < 1000; ++tries) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

}  // namespace rhizome::test
