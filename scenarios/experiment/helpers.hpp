// Other processes that help with the runs of an experiment in virtual time: process 0 orders runs,
// and each helper answers with the outcome. A run has the same outcome, to the byte, wherever it is
// done.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/mesh/mesh.hpp"
#include "scenarios/experiment/member.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

// How outcomes are encoded to be sent. The store supplies both functions.
struct Packing {
  std::function<core::Bytes(const Outcome&)> pack;
  std::function<Outcome(std::span<const std::byte>)> unpack;  // throws where it cannot be read
};

// The messages between process 0 and its helpers, sent as parcels.
namespace helping {
struct Ready {
  std::uint32_t slots = 0;  // runs that the helper can do at the same time
};
struct Order {
  std::uint64_t run = 0;
};
struct Answer {
  std::uint64_t run = 0;
  bool done = false;  // false: the helper could not do the run
  std::uint64_t wall_ns = 0;
  std::vector<std::string> remarks{};
  core::Bytes outcome{};
};
struct Dismissal {
  bool all = true;  // whether runs under way are given up as well
};
// Sent by a helper that leaves before process 0 dismisses it.
struct HelperLeaving {
  bool interrupted = false;  // by its user; false: it received a message that it cannot read
};
}  // namespace helping

// The helpers, as process 0 sees them. Used by one thread, except credit(): other threads may call
// it, one at a time.
class Helpers {
 public:
  struct News {
    std::uint32_t from = 0;
    std::uint64_t run = 0;
    std::optional<Outcome> outcome{};  // none: that process could not do the run
    std::vector<std::string> remarks{};
  };

  // The mesh outlives it.
  Helpers(core::Mesh& mesh, Packing packing);
  // Dismisses all helpers.
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  // The helpers that may be given one more run.
  [[nodiscard]] std::vector<std::uint32_t> idle() const;
  void order(std::uint32_t process, std::uint64_t run);
  // The next answer, or nothing after that time. A helper that sends a message that cannot be read
  // is given no more runs.
  [[nodiscard]] std::optional<News> hear(std::chrono::nanoseconds wait);
  // The helpers that, since the last call, were lost, left, or sent a message that cannot be read.
  [[nodiscard]] std::vector<std::uint32_t> newly_lost();
  // The reason why such a helper is gone: "process 1 on h2 is lost: its connection broke".
  [[nodiscard]] std::string fate_of(std::uint32_t process) const;
  // Counts a run for the process whose answer came first, or for process 0, which did the run
  // itself.
  void credit(std::uint32_t process) { ++members_[process].runs; }
  // One entry for each process.
  [[nodiscard]] std::vector<Member> members() const;
  // Runs that all helpers together can do at the same time.
  [[nodiscard]] std::size_t slots() const;

 private:
  struct Helper {
    std::uint32_t slots = 0;
    std::uint32_t busy = 0;
    bool gone = false;
    std::string why{};  // why it is gone, unless it was lost
    bool told = false;
  };
  [[nodiscard]] std::optional<News> take(std::uint32_t from, helping::Answer&& answer);
  static void dismiss(Helper& helper, std::string why);

  core::Mesh& mesh_;
  const Packing packing_;
  std::map<std::uint32_t, Helper> helpers_;
  std::vector<Member> members_;
};

// The work of a helper: it does the runs that process 0 orders, up to `slots` at a time, until
// process 0 dismisses it.
struct Help {
  std::function<Outcome(std::size_t, std::vector<std::string>& remarks, const std::atomic<bool>*)>
      run;
  std::size_t runs = 0;  // of the experiment; orders for other runs are refused
  unsigned slots = 1;
  const std::atomic<bool>* stop = nullptr;  // all runs are given up once it is true
};
// Returns false where process 0 is lost, or `stop` became true.
[[nodiscard]] bool help(core::Mesh& mesh, const Packing& packing, const Help& help);

}  // namespace rhizome::scenarios
