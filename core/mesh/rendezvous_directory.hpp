// A rendezvous in a directory that all processes see: each writes its descriptor there, and reads
// those of the others. For Slurm without PMIx, and for Kubernetes with a shared volume.
#pragma once

#include <chrono>
#include <filesystem>

#include "core/mesh/launcher.hpp"
#include "core/mesh/rendezvous.hpp"

namespace rhizome::core {

// How long the others are waited for, in real time. Less breaks a start on a busy cluster off; more
// only delays the news that a process does not come.
inline constexpr std::chrono::seconds gathering_patience{60};

class RendezvousDirectory final : public Rendezvous {
 public:
  struct Options {
    std::filesystem::path directory;  // of a session, one below it
    Place place;
    std::chrono::milliseconds patience = gathering_patience;
  };
  // Makes the directory if there is none, for its owner alone. Throws Unreachable for a directory
  // that others may enter, or that belongs to another user.
  explicit RendezvousDirectory(const Options& options);
  ~RendezvousDirectory() override;

  [[nodiscard]] std::uint32_t rank() const override { return place_.rank; }
  [[nodiscard]] std::uint32_t size() const override { return place_.size; }
  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override;

 private:
  void leave(const std::string& descriptor) const;

  const std::filesystem::path path_;
  const Place place_;
  const std::chrono::milliseconds patience_;
  int directory_;  // open, so that no other directory can take its place
};

}  // namespace rhizome::core
