// Damaged recordings: they are refused with a sentence or read as far as they go, and nothing worse
// comes of them.
#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <variant>

#include "core/peer/rng.hpp"
#include "scenarios/live/rows.hpp"
#include "scenarios/live/seen/recording.hpp"
#include "test/support/temporary_directory.hpp"
#include "tools/monitor/playback.hpp"

namespace rhizome::recording_fuzz_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using core::Rng;

namespace {

std::uint64_t runs() {
  const char* text = std::getenv("RHIZOME_FUZZ_RUNS");
  return text == nullptr ? 3'000 : std::strtoull(text, nullptr, 10);
}

std::string some_recording(const std::filesystem::path& file) {
  {
    RecordingWriter writer(file);
    writer.add(0s, encode(Answer{Welcome{.scenario = "any", .fact_kinds = {"job-completed"}}}));
    State state;
    Rows rows(3);
    for (std::uint64_t number = 1; number <= 30; ++number) {
      rows.set({static_cast<std::uint32_t>(number % 3)}, {number}, number);
      Frame frame{.number = number,
                  .since = number - 1,
                  .run = {.peers = 3},
                  .now = core::Time{number * 1s},
                  .rows = rows.changed_after(number - 1)};
      frame.facts.facts = {{.at = frame.now, .peer = {1}, .kind = 0}};
      REQUIRE(state.apply(frame));
      writer.add_frame(number * 1s, encode(Answer{frame}), state);
      if (number % 9 == 0) writer.add(number * 1s, encode(Answer{Plan{}}));
    }
  }
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Other bytes, fewer, more, or the same twice.
std::string damaged(std::string bytes, Rng& rng) {
  for (std::uint64_t n = rng.below(4); n > 0; --n)
    bytes[rng.below(bytes.size())] = static_cast<char>(rng.below(256));
  if (rng.chance(0.3)) bytes.resize(rng.below(bytes.size() + 1));
  if (rng.chance(0.2)) bytes += bytes.substr(rng.below(bytes.size() + 1));
  if (rng.chance(0.1) && !bytes.empty()) bytes.erase(rng.below(bytes.size()), 1 + rng.below(9));
  return bytes;
}

// All that a user does with it.
void use(const std::filesystem::path& file, Rng& rng) {
  tools::Playback playback(file);
  for (int i = 0; i < 50 && playback.step(); ++i) CHECK(playback.state().rows().size() <= 3);
  for (int i = 0; i < 3; ++i)
    playback.go_to(std::chrono::milliseconds(static_cast<int>(rng.below(40'000))));
  static_cast<void>(playback.grant(tools::Wish::Kind::story, {.task = agents::TaskId{}}));
  CHECK_FALSE(playback.standing().empty());
}

}  // namespace

TEST_CASE("whatever became of a recording, it is read or refused") {
  const test::TemporaryDirectory directory;
  const auto file = directory.path() / "recording";
  const std::string sound = some_recording(file);
  std::uint64_t refused = 0;
  for (std::uint64_t run = 0; run < runs(); ++run) {
    CAPTURE(run);
    Rng rng = Rng::derive({run}, "recording");
    std::ofstream(file, std::ios::binary) << damaged(sound, rng);
    try {
      use(file, rng);
    } catch (const BadRecording& error) {
      ++refused;
      CHECK(std::string_view(error.what()).find("recording: ") != std::string_view::npos);
    }
  }
  CHECK(refused > 0);
  CHECK(refused < runs());
}

}  // namespace rhizome::recording_fuzz_test
