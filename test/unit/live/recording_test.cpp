// Recordings: they are read as they were written, up to any damage.
#include "scenarios/live/seen/recording.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "scenarios/live/rows.hpp"
#include "test/support/temporary_directory.hpp"

namespace rhizome::recording_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
namespace fs = std::filesystem;

namespace {

// A recorded run of two peers, ten frames a second, and the live state at each frame.
struct RecordedFrames {
  test::TemporaryDirectory directory;
  fs::path file = directory.path() / "recording";
  std::vector<std::uint64_t> fingerprints;  // by frame, from 1

  explicit RecordedFrames(std::uint64_t frames, bool closed = true) {
    auto writer = std::make_unique<RecordingWriter>(file);
    writer->add(0s, encode(Answer{Welcome{.scenario = "recorded"}}));
    State state;
    Rows rows(2);
    for (std::uint64_t number = 1; number <= frames; ++number) {
      rows.set({1}, {number}, number);
      Frame frame{.number = number,
                  .since = number - 1,
                  .run = {.peers = 2},
                  .now = core::Time{number * 100ms},
                  .rows = rows.changed_after(number - 1)};
      REQUIRE(state.apply(frame));
      writer->add_frame(number * 100ms, encode(Answer{frame}), state);
      fingerprints.push_back(state.fingerprint());
      if (number == frames && !closed) fs::copy_file(file, directory.path() / "open");
    }
    writer.reset();
    if (!closed) fs::rename(directory.path() / "open", file);
  }
};

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void write(const fs::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

// The numbers of received frames, without those that the recording has added.
std::vector<std::uint64_t> numbers_in(Recording& recording) {
  std::vector<std::uint64_t> numbers;
  while (const auto told = recording.next())
    if (const auto* frame = std::get_if<Frame>(&told->answer); frame != nullptr && !told->whole)
      numbers.push_back(frame->number);
  return numbers;
}

}  // namespace

TEST_CASE("a recording holds all answers in their order, with a whole frame every ten seconds") {
  const RecordedFrames recorded(250);
  Recording recording(recorded.file);
  CHECK_FALSE(recording.is_cut_off());
  CHECK(recording.length() == 25s);
  REQUIRE(recording.wholes().size() == 3);
  CHECK(recording.wholes()[1].at == 10100ms);
  const auto first = recording.next();
  REQUIRE(first);
  CHECK(std::get<Welcome>(first->answer).scenario == "recorded");
  CHECK(numbers_in(recording).size() == 250);
}

TEST_CASE("a recording read from any whole frame gives the state that was known live") {
  const RecordedFrames recorded(250);
  for (const auto time : {0ms, 9000ms, 10100ms, 15000ms, 24000ms}) {
    CAPTURE(time.count());
    Recording recording(recorded.file);
    recording.seek(time);
    State state;
    while (const auto told = recording.next()) {
      const auto* frame = std::get_if<Frame>(&told->answer);
      if (frame == nullptr || (told->whole && frame->number == state.frame().number)) continue;
      REQUIRE(state.apply(*frame));
      CHECK(state.fingerprint() == recorded.fingerprints[frame->number - 1]);
    }
    CHECK(state.frame().number == 250);
  }
}

TEST_CASE("a recording whose monitor was killed is read as far as it goes") {
  const RecordedFrames recorded(250, false);
  {
    Recording recording(recorded.file);
    CHECK(recording.is_cut_off());
    CHECK(recording.wholes().size() == 3);
    CHECK(recording.length() == 25s);
    CHECK(numbers_in(recording).size() == 250);
  }
  const std::string bytes = bytes_of(recorded.file);
  write(recorded.file, bytes.substr(0, bytes.size() - 7));
  Recording recording(recorded.file);
  CHECK(recording.is_cut_off());
  CHECK(numbers_in(recording).size() == 249);
}

TEST_CASE("a file that is no recording, or is damaged, is refused with its name") {
  const RecordedFrames recorded(30);
  const std::string bytes = bytes_of(recorded.file);
  const auto refusal = [&](const std::string& held) -> std::string {
    write(recorded.file, held);
    try {
      Recording recording(recorded.file);
      static_cast<void>(numbers_in(recording));
      return "";
    } catch (const BadRecording& error) {
      return error.what();
    }
  };
  CHECK(refusal(bytes).empty());
  CHECK(refusal("").find("is no recording") != std::string::npos);
  CHECK(refusal("[peers]\ncount = 3\n").find("is no recording") != std::string::npos);
  std::string damaged = bytes;
  damaged[damaged.find('3')] = '1';
  CHECK(refusal(damaged).find("was recorded by another version") != std::string::npos);
  damaged = bytes;
  damaged[bytes.size() / 2] ^= 1;
  CHECK(refusal(damaged).find("is damaged at byte") != std::string::npos);
  damaged = bytes;
  damaged[bytes.size() - 12] ^= 1;
  CHECK(refusal(damaged).find("its index is damaged") != std::string::npos);
  CHECK_THROWS_AS(Recording{recorded.directory.path() / "absent"}, BadRecording);
  CHECK_THROWS_AS(Recording{recorded.directory.path()}, BadRecording);
}

}  // namespace rhizome::recording_test
