// Other processes that help with the runs of an experiment in virtual time: process 0 orders runs,
// and each helper answers with the outcome. What both do of a run is the same, to the byte.
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

// How outcomes travel; the store knows.
struct Packing {
  std::function<core::Bytes(const Outcome&)> pack;
  std::function<Outcome(std::span<const std::byte>)> unpack;  // throws where it cannot be read
};

// What the processes say to each other, in parcels.
namespace helping {
struct Ready {
  std::uint32_t slots = 0;  // runs that it can do at a time
};
struct Order {
  std::uint64_t run = 0;
};
struct Answer {
  std::uint64_t run = 0;
  bool done = false;  // false: it could not be done
  std::uint64_t wall_ns = 0;
  std::vector<std::string> remarks{};
  core::Bytes outcome{};
};
struct Dismissal {
  bool all = true;  // the runs that are under way as well
};
// Of a helper that goes before it is sent home.
struct HelperLeaving {
  bool interrupted = false;  // by its user, or else by what it was told and does not understand
};
}  // namespace helping

// The helpers, as process 0 sees them. Used by one thread, but for credits, of which there is one
// at a time.
class Helpers {
 public:
  struct News {
    std::uint32_t from = 0;
    std::uint64_t run = 0;
    std::optional<Outcome> outcome{};  // none: it could not be done there
    std::vector<std::string> remarks{};
  };

  // The mesh outlives it.
  Helpers(core::Mesh& mesh, Packing packing);
  // Sends all of them home.
  ~Helpers();
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;

  // Those that may be given one more run.
  [[nodiscard]] std::vector<std::uint32_t> idle() const;
  void order(std::uint32_t process, std::uint64_t run);
  // The next answer, or nothing after that time. Whoever sends nonsense is given no more.
  [[nodiscard]] std::optional<News> hear(std::chrono::nanoseconds wait);
  // Who has been lost since the last call, has left, or talked nonsense.
  [[nodiscard]] std::vector<std::uint32_t> newly_lost();
  // What became of one of these: "process 1 on h2 is lost: its connection broke".
  [[nodiscard]] std::string fate_of(std::uint32_t process) const;
  // The answer of that process to a run was the first, or the run was done here by process 0.
  void credit(std::uint32_t process) { ++members_[process].runs; }
  // By process.
  [[nodiscard]] std::vector<Member> members() const;
  // Runs that all of them can do at a time.
  [[nodiscard]] std::size_t slots() const;

 private:
  struct Helper {
    std::uint32_t slots = 0;
    std::uint32_t busy = 0;
    bool gone = false;
    std::string why{};  // where it is not lost
    bool told = false;
  };
  [[nodiscard]] std::optional<News> take(std::uint32_t from, helping::Answer&& answer);
  static void dismiss(Helper& helper, std::string why);

  core::Mesh& mesh_;
  const Packing packing_;
  std::map<std::uint32_t, Helper> helpers_;
  std::vector<Member> members_;
};

// What a helper does: the runs that it is ordered to, so many at a time, until it is dismissed.
struct Help {
  std::function<Outcome(std::size_t, std::vector<std::string>& remarks, const std::atomic<bool>*)>
      run;
  std::size_t runs = 0;  // more are refused
  unsigned slots = 1;
  const std::atomic<bool>* stop = nullptr;  // gives all up once it is true
};
// False where process 0 is lost, or it was told to stop.
[[nodiscard]] bool help(core::Mesh& mesh, const Packing& packing, const Help& help);

}  // namespace rhizome::scenarios
