// Every stretch of a recording can be shown by itself, and all stretches are all of it.
#include "tools/monitor/web/library/seekable_recording.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/rows.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"
#include "test/support/watched_run.hpp"

namespace rhizome::seekable_recording_test {

using namespace std::chrono_literals;
using namespace scenarios::live;
using scenarios::Json;
using tools::RecordingTime;
using tools::SeekableRecording;

namespace {

// Frames every 100 ms; #1 is down from the 30th to the 39th. A second run begins after as many.
struct Recorded {
  test::TemporaryDirectory directory;
  std::filesystem::path file = directory.path() / "recording";
  std::vector<std::uint64_t> fingerprints{};

  explicit Recorded(std::uint64_t frames, std::uint32_t runs = 1) {
    RecordingWriter writer(file);
    writer.add(0s,
               encode(Answer{Welcome{.scenario = "recorded", .fact_kinds = fact_kind_names()}}));
    std::uint64_t number = 0;
    for (std::uint32_t run = 0; run < runs; ++run) write_run(writer, run, frames, number);
    writer.add(number * 100ms, encode(Answer{Plan{runs - 1, {.lag_tolerance = 5ms}}}));
    writer.add(
        number * 100ms,
        encode(Answer{RunsAnswer{.ends = {{.run = runs - 1,
                                           .judged = true,
                                           .validity = scenarios::Validity::Level::suspect}}}}));
  }
  void write_run(RecordingWriter& writer, std::uint32_t run, std::uint64_t frames,
                 std::uint64_t& number) {
    State state;
    Rows rows(2);
    const std::uint64_t before = number;
    for (std::uint64_t i = 1; i <= frames; ++i) {
      ++number;
      const bool lives = i < 30 || i >= 40;
      rows.set({0}, {i, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1}, number);
      rows.set({1}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, lives ? 1U : 0U}, number);
      const std::uint64_t since = i == 1 ? 0 : before + i - 1;
      Frame frame{.number = number,
                  .since = since,
                  .run = {.number = run, .label = "grid", .engine = "threads", .peers = 2},
                  .now = core::Time{i * 100ms},
                  .rows = rows.changed_after(since)};
      frame.facts.facts = {test::noted(i * 100ms, 1, agents::ParentChanged{{}, {}, {}, "join"})};
      REQUIRE(state.apply(frame));
      writer.add_frame(number * 100ms, encode(Answer{frame}), state);
      fingerprints.push_back(state.fingerprint());
    }
  }
};

std::vector<std::string> pieces_in(const std::string& told) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at + 4 <= told.size();) {
    std::size_t size = 0;
    for (std::size_t i = 4; i > 0; --i)
      size = size << 8U | static_cast<unsigned char>(told[at + i - 1]);
    pieces.push_back(told.substr(at + 4, size));
    at += 4 + size;
  }
  return pieces;
}

std::optional<Frame> frame_in(const std::string& piece) {
  const auto* bytes = reinterpret_cast<const std::byte*>(piece.data());
  const auto answer = decode_answer({bytes, piece.size()});
  if (!answer || !std::holds_alternative<Frame>(*answer)) return {};
  return std::get<Frame>(*answer);
}

// The times that are told before frames.
std::vector<double> times_in(const std::string& told) {
  std::vector<double> times;
  for (const std::string& each : pieces_in(told))
    if (const auto json = each.starts_with('{') ? scenarios::parse_json(each) : std::nullopt)
      if (json->contains("at")) times.push_back(json->at("at").get<double>());
  return times;
}

}  // namespace

TEST_CASE("each stretch of a recording is read by itself, and they lead to the live state") {
  const Recorded recorded(250);
  const SeekableRecording recording(recorded.file, "x");
  REQUIRE(recording.stretches() == 3);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < recording.stretches(); ++i) {
    State state;  // a new state knows nothing of the stretch before
    for (const std::string& piece : pieces_in(recording.stretch(i)))
      if (const auto frame = frame_in(piece)) {
        REQUIRE(state.apply(*frame));
        CHECK(state.fingerprint() == recorded.fingerprints[frame->number - 1]);
        seen = frame->number;
      }
  }
  CHECK(seen == 250);
}

TEST_CASE("the stretches of a recording are those that it has, whatever its index says") {
  const Recorded recorded(250);
  const std::string told = SeekableRecording(recorded.file, "x").stretch(2);
  const auto index_of = [](const std::string& text) {
    std::size_t place = 0;
    for (std::size_t i = text.size() - 8; i > text.size() - 16; --i)
      place = place << 8U | static_cast<unsigned char>(text[i - 1]);
    return place;
  };
  const std::string whole = test::content_of(recorded.file.string());
  const Recorded other(20);
  const std::string brief = test::content_of(other.file.string());
  const std::string index = brief.substr(index_of(brief), brief.size() - 16 - index_of(brief));
  std::ofstream(recorded.file) << whole.substr(0, index_of(whole)) << index
                               << whole.substr(whole.size() - 16);
  const SeekableRecording recording(recorded.file, "x");
  REQUIRE(recording.stretches() == 3);
  CHECK(recording.stretch(2) == told);
}

TEST_CASE("each stretch of a recording says at which times its frames stand") {
  const Recorded recorded(250);
  const SeekableRecording recording(recorded.file, "x");
  const std::vector<double> second = times_in(recording.stretch(1));
  REQUIRE(second.size() > 50);
  CHECK(second.front() == doctest::Approx(10.1));
  CHECK(second.back() == doctest::Approx(20.1));
}

TEST_CASE("a recording is marked where a peer went down and came back") {
  const Recorded recorded(250);
  const Json summary =
      scenarios::parse_json(SeekableRecording(recorded.file, "x").summary()).value();
  REQUIRE(summary.at("marks").size() == 2);
  CHECK(summary.at("marks").at(0).at(0).get<double>() == doctest::Approx(3.0));
  CHECK(summary.at("marks").at(0).at(1).get<std::string>() == "down");
  CHECK(summary.at("marks").at(0).at(2).get<int>() == 1);
  CHECK(summary.at("marks").at(1).at(1).get<std::string>() == "up");
  CHECK(summary.at("marks").at(1).at(0).get<double>() == doctest::Approx(4.0));
  CHECK(summary.at("end").get<double>() == doctest::Approx(25.0));
  CHECK(summary.at("burdens").get<bool>());
}

TEST_CASE("a run that follows another in a recording begins where that one ended") {
  const Recorded recorded(50, 2);
  const SeekableRecording recording(recorded.file, "x");
  const Json summary = scenarios::parse_json(recording.summary()).value();
  REQUIRE(summary.at("runs").size() == 2);
  CHECK(summary.at("runs").at(1).at("at").get<double>() == doctest::Approx(5.0));
  CHECK(summary.at("end").get<double>() == doctest::Approx(10.0));
  // The first frame of the second run marks no peer, whatever the state at the end of the first
  // was.
  CHECK(summary.at("marks").size() == 4);
}

TEST_CASE("a long recording has no more moments than a chart can show") {
  const Recorded recorded(7000);
  const Json summary =
      scenarios::parse_json(SeekableRecording(recorded.file, "x").summary()).value();
  CHECK(summary.at("moments").size() <= 3000);
  CHECK(summary.at("moments").size() >= 1400);
  const Json& last = summary.at("moments").items().back();
  CHECK(last.at(0).get<double>() == doctest::Approx(700.0));
}

TEST_CASE("a recording tells the figures of its end, with the plan of its last run") {
  const Recorded recorded(50, 2);
  const std::string text = SeekableRecording(recorded.file, "x").metrics(3);
  for (const std::string line :
       {"rhizome_run_info{scenario=\"\",scheduler=\"\",label=\"grid\",cell=\"\",engine=\"threads\","
        "seed=\"0\","
        "repetition=\"1\",run=\"2\"} 1",
        "rhizome_emulated_time_seconds 5", "rhizome_run_state{rhizome_run_state=\"recorded\"} 1",
        "rhizome_lag_tolerance_seconds 0.005", "rhizome_validity{rhizome_validity=\"suspect\"} 1",
        "rhizome_tree_moves_total{reason=\"join\"} 50", "rhizome_monitor_clients 3"}) {
    CAPTURE(line);
    CHECK(text.find("\n" + line + "\n") != std::string::npos);
  }
  CHECK(text.ends_with("# EOF\n"));
}

TEST_CASE("a recording without a frame is refused") {
  const test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "empty";
  { const RecordingWriter writer(file); }
  CHECK_THROWS_AS(SeekableRecording(file, "x"), BadRecording);
}

TEST_CASE("a recording that was cut off is read as far as it goes, and says so") {
  const Recorded recorded(250);
  CHECK_FALSE(SeekableRecording(recorded.file, "x").is_cut_off());
  const std::filesystem::path cut = recorded.directory.path() / "cut";
  std::filesystem::copy_file(recorded.file, cut);
  std::filesystem::resize_file(cut, std::filesystem::file_size(cut) / 2);
  const SeekableRecording recording(cut, "x");
  CHECK(recording.is_cut_off());
  CHECK(recording.stretches() == 2);
  CHECK_FALSE(times_in(recording.stretch(1)).empty());
}

TEST_CASE("a time that falls within a run is that of another run") {
  RecordingTime time;
  CHECK(time.take({.now = core::Time{3s}}));
  CHECK(time.now() == 3);
  CHECK_FALSE(time.take({.now = core::Time{4s}}));
  CHECK(time.take({.now = core::Time{1s}}));
  CHECK(time.offset() == 4);
  CHECK(time.now() == 5);
}

}  // namespace rhizome::seekable_recording_test
