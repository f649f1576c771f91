// A rendezvous by the pipes of a launcher: process 0 holds one to each process that it has
// launched. A descriptor goes through them as its length in digits, a new line, and itself.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "core/mesh/rendezvous.hpp"

namespace rhizome::core {

// The caller owns both ends, and closes them.
struct Pipe {
  int in = -1;   // to read from
  int out = -1;  // to write to
};

// The rendezvous of process 0.
class LauncherRendezvous final : public Rendezvous {
 public:
  // Pipes to process 1, 2 and so on. A process that has not written its descriptor in that time is
  // reported missing, with its host if `hosts` (by rank) names it.
  LauncherRendezvous(std::vector<Pipe> others, std::chrono::milliseconds within,
                     std::vector<std::string> hosts = {});

  [[nodiscard]] std::uint32_t rank() const override { return 0; }
  [[nodiscard]] std::uint32_t size() const override {
    return static_cast<std::uint32_t>(others_.size()) + 1;
  }
  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override;

 private:
  const std::vector<Pipe> others_;
  const std::chrono::milliseconds within_;
  const std::vector<std::string> hosts_;
};

// The rendezvous of a process that was launched.
class LaunchedRendezvous final : public Rendezvous {
 public:
  struct Place {
    std::uint32_t rank = 0;
    std::uint32_t size = 1;
  };
  LaunchedRendezvous(Place place, Pipe launcher, std::chrono::milliseconds within)
      : place_(place), launcher_(launcher), within_(within) {}

  [[nodiscard]] std::uint32_t rank() const override { return place_.rank; }
  [[nodiscard]] std::uint32_t size() const override { return place_.size; }
  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override;

 private:
  const Place place_;
  const Pipe launcher_;
  const std::chrono::milliseconds within_;
};

}  // namespace rhizome::core
