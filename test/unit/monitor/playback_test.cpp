// Playback of recordings: at each time it shows the state that was known live.
#include "tools/monitor/playback.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "test/support/temporary_directory.hpp"
#include "test/support/watched_run.hpp"

namespace rhizome::playback_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using Kind = tools::Wish::Kind;

namespace {

// 36 frames, a second between them, and the live state at each.
struct RecordedFrames {
  test::TemporaryDirectory directory;
  std::filesystem::path file = directory.path() / "recording";
  std::vector<std::uint64_t> fingerprints;

  RecordedFrames() {
    test::WatchedRun run;
    State state;
    RecordingWriter writer(file);
    writer.add(0s, encode(Answer{run.known.welcome}));
    run.rows = Rows(test::WatchedRun::peers);
    run.frames = 0;
    for (std::uint64_t second = 1; second <= 36; ++second) {
      const Frame frame = run.frame(second);
      REQUIRE(state.apply(frame));
      writer.add_frame(second * 1s, encode(Answer{frame}), state);
      if (second == 1) writer.add(1s, encode(Answer{test::WatchedRun::plan()}));
      fingerprints.push_back(state.fingerprint());
    }
  }
};

}  // namespace

TEST_CASE("a recording scrubbed to a time shows the live state of that time") {
  const RecordedFrames recorded;
  tools::Playback playback(recorded.file);
  CHECK(playback.state().frame().number == 1);
  for (const std::uint64_t second : {30U, 29U, 5U, 36U, 1U, 12U, 11U}) {
    CAPTURE(second);
    playback.go_to(second * 1s);
    CHECK(playback.state().frame().number == second);
    CHECK(playback.state().fingerprint() == recorded.fingerprints[second - 1]);
    CHECK(playback.known().plan_of_run() != nullptr);
  }
  playback.go_to(30s);
  CHECK(playback.state().rate(core::PeerId{17}).sent == 1200);  // also where it did not begin
  CHECK(playback.state().facts().size() > 40);
}

TEST_CASE("a recording is stepped through frame by frame to its end") {
  const RecordedFrames recorded;
  tools::Playback playback(recorded.file);
  std::vector<std::uint64_t> fingerprints{playback.state().fingerprint()};
  while (playback.step()) fingerprints.push_back(playback.state().fingerprint());
  CHECK(fingerprints == recorded.fingerprints);
  CHECK(playback.standing() == "36.0 of 36.0 s, end of the recording");
}

TEST_CASE("a recording rests, goes faster, and goes where it is told") {
  const RecordedFrames recorded;
  tools::Playback playback(recorded.file);
  CHECK(playback.grant(Kind::pause, {}).empty());
  CHECK(playback.standing() == "1.0 of 36.0 s, paused");
  CHECK_FALSE(playback.wait(1ms));
  CHECK(playback.grant(Kind::pause, {}).empty());
  CHECK(playback.grant(Kind::faster, {}).empty());
  CHECK(playback.standing() == "1.0 of 36.0 s, replayed x2");
  CHECK(playback.grant(Kind::second_on, {}).empty());
  CHECK(playback.state().frame().number == 2);
  CHECK(playback.grant(Kind::live, {}).empty());
  CHECK(playback.state().frame().number == 36);
  CHECK(playback.grant(Kind::second_back, {}).empty());
  CHECK(playback.state().frame().number == 35);
  CHECK_FALSE(playback.grant(Kind::run_after, {}).empty());
}

TEST_CASE("the story of a task is told from all of a recording") {
  const RecordedFrames recorded;
  tools::Playback playback(recorded.file);
  CHECK(playback.grant(Kind::story, {.task = agents::TaskId{30, 4}}).empty());
  REQUIRE(playback.known().story.has_value());
  CHECK(playback.known().story->whole);
  REQUIRE(playback.known().story->facts.size() == 1);
  CHECK(playback.known().story->facts[0].peer == core::PeerId{44});
}

}  // namespace rhizome::playback_test
