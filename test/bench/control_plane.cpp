// rhizome_control_plane: the cost of the control between the processes of a run with more machines
// than there are here. Everything but the coordinator is simulated: the shares of a run in which
// each peer finishes by itself at some time, and which tell what has changed at each look.
//   rhizome_control_plane [MACHINES [PEERS-OF-EACH [SECONDS]]]     of emulated time; 100 10000 10
#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/coordinator.hpp"
#include "core/mesh/frame.hpp"
#include "core/mesh/process_descriptor.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::bench {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds look{5};  // as often as an engine looks

struct World {
  std::uint32_t machines = 100;
  std::uint32_t peers = 10'000;  // of each machine
  std::uint32_t seconds = 10;
};

double micro(Clock::duration time) {
  return std::chrono::duration<double, std::micro>(time).count();
}

// The letters of all shares at one look, as they travel.
class Shares {
 public:
  explicit Shares(const World& world) : finish_(world.machines), tallies_(world.machines) {
    core::Rng rng = core::Rng::derive({1}, "control plane");
    for (auto& times : finish_) {
      for (std::uint32_t i = 0; i < world.peers; ++i)
        times.push_back(
            rng.between(0, std::chrono::nanoseconds(std::chrono::seconds(world.seconds)).count()));
      std::sort(times.begin(), times.end());
    }
    for (auto& tally : tallies_) tally.alive = world.peers;
  }
  template <class F>
  void tell(core::Time now, F&& letter) {
    for (std::uint32_t share = 0; share < finish_.size(); ++share) {
      const auto& times = finish_[share];
      const auto done = static_cast<std::uint32_t>(
          std::upper_bound(times.begin(), times.end(), now.time_since_epoch().count()) -
          times.begin());
      if (done == tallies_[share].finished) continue;
      tallies_[share].finished = done;
      letter(share, core::control::Told{tallies_[share], ++numbers_});
    }
  }
  [[nodiscard]] core::control::Answer answer(std::uint32_t share, std::uint64_t question) {
    return {question, tallies_[share], ++numbers_};
  }

 private:
  std::vector<std::vector<std::int64_t>> finish_;  // by share, ascending
  std::vector<core::Tally> tallies_;
  std::uint64_t numbers_ = 0;
};

struct Cost {
  std::uint64_t letters = 0;
  std::uint64_t bytes = 0;
  std::uint64_t busiest = 0;  // letters at one look
  std::uint64_t looks = 0;
  Clock::duration processor{0};
};

Cost simulate(const World& world) {
  core::EngineSetup setup;
  setup.peers = world.machines * world.peers;
  core::Coordinator coordinator(world.machines, setup);
  Shares shares(world);
  Cost cost;
  const auto hear = [&](std::uint32_t share, const core::control::Message& message) {
    const core::Bytes bytes = core::control::encode(message);
    ++cost.letters;
    cost.bytes += bytes.size() + core::frame_head;
    const auto began = Clock::now();
    if (const auto read = core::control::decode(bytes)) coordinator.hear(share, *read);
    cost.processor += Clock::now() - began;
  };
  for (core::Time now{}; cost.looks < 1'000'000; now += look, ++cost.looks) {
    const std::uint64_t before = cost.letters;
    shares.tell(now, hear);
    cost.busiest = std::max(cost.busiest, cost.letters - before);
    const auto began = Clock::now();
    const auto said = coordinator.look(now);
    cost.processor += Clock::now() - began;
    if (!said) continue;
    if (std::holds_alternative<core::control::Ended>(*said)) break;
    if (const auto* question = std::get_if<core::control::Question>(&*said))
      for (std::uint32_t share = 0; share < world.machines; ++share)
        hear(share, shares.answer(share, question->number));
  }
  return cost;
}

// The descriptors that each process has to read before it connects.
void measure_cards(const World& world) {
  core::ProcessDescriptor descriptor{
      .process = {.host = "node000.cluster.example", .version = "0.1.0"},
      .key = std::string(40, 'k'),
      .endpoints = std::vector<std::string>(world.machines, "tcp://10.77.100.100:40000")};
  descriptor.process.subjects = {{"the scenario", std::string(16, '0')}};
  const std::vector<std::string> texts(world.machines, text_of(descriptor));
  const auto began = Clock::now();
  static_cast<void>(core::read_descriptors(texts));
  std::printf("descriptors: %zu bytes each, all read in %.1f ms\n", texts[0].size(),
              micro(Clock::now() - began) / 1e3);
}

std::uint32_t number(std::string_view text) {
  std::uint32_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} && parsed.ptr == text.data() + text.size() ? value : 0;
}

}  // namespace

}  // namespace rhizome::bench

int main(int count, char** words) {
  using namespace rhizome::bench;
  World world;
  std::uint32_t* const values[] = {&world.machines, &world.peers, &world.seconds};
  for (int i = 1; i < count; ++i) {
    if (i > 3 || (*values[i - 1] = number(words[i])) == 0) {
      std::fputs("usage: rhizome_control_plane [MACHINES [PEERS-OF-EACH [SECONDS]]]\n", stderr);
      return 64;
    }
  }
  const Cost cost = simulate(world);
  const double real = std::chrono::duration<double>(look).count() * static_cast<double>(cost.looks);
  std::printf("%u machines of %u peers, each of which finishes once within %u s\n", world.machines,
              world.peers, world.seconds);
  std::printf("letters to share 0: %.0f a second, %llu at most in 5 ms, %.1f bytes each\n",
              static_cast<double>(cost.letters) / real,
              static_cast<unsigned long long>(cost.busiest),
              static_cast<double>(cost.bytes) / static_cast<double>(cost.letters));
  std::printf("to read and judge one: %.2f us, which is %.2f %% of a core\n",
              micro(cost.processor) / static_cast<double>(cost.letters),
              micro(cost.processor) / real / 1e4);
  measure_cards(world);
  return 0;
}
