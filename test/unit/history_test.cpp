// The history of a run as it is written and read: entries, files, damage.
#include "core/history/history.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>

#include "core/history/history_writer.hpp"
#include "core/history/track_reader.hpp"
#include "core/history/track_writer.hpp"
#include "core/peer/rng.hpp"
#include "test/support/temporary_directory.hpp"
#include "test/support/temporary_file.hpp"

namespace rhizome::history_test {

namespace {

using core::HostEvent;
using core::PeerId;
using core::Time;
using Kind = HostEvent::Kind;
using namespace std::chrono_literals;

const core::HistoryHeading heading{.scenario = "toy",
                                   .scheduler = "organic-grid",
                                   .repetition = 2,
                                   .seed = ~std::uint64_t{0},
                                   .peers = 2,
                                   .program = "abc"};

// A file with the track of peer 1 that `write` makes.
template <class F>
core::History written(const test::TemporaryDirectory& directory, F write) {
  const auto file = directory.path() / "one.history";
  core::HistoryWriter writer(file, heading);
  core::TrackWriter track(PeerId{1}, writer);
  write(track);
  track.close();
  writer.end({.ending = core::Ending::open, .ended = Time{7s}, .wall = 3s});
  CHECK(writer.failure().empty());
  return core::read_history(file);
}

// A packet of peer 0.
void begins_packet(core::TrackWriter& track, Time now, std::uint64_t number) {
  const core::Packet packet{{.from = PeerId{0}}, {}};
  track.begins(now, {Kind::packet}, {.packet = &packet, .number = number});
}

std::string refusal_of(const std::string& name) {
  try {
    static_cast<void>(core::read_history(name));
  } catch (const core::UnreadableHistory& error) {
    const std::string text = error.what();
    REQUIRE(text.starts_with(name));
    return text.substr(name.size());
  }
  return "";
}

}  // namespace

TEST_CASE("a history is read as it was written") {
  const test::TemporaryDirectory directory;
  const core::Result result{.value = "sum 7", .verdict = core::Result::Verdict::right};
  const core::History history = written(directory, [&](core::TrackWriter& track) {
    track.begins(Time{5ms}, {Kind::start}, {});
    begins_packet(track, Time{5ms}, 300);
    track.begins(Time{9ms}, HostEvent::timer({}, {1, 70000, 3}), {});
    track.begins(Time{8ms}, HostEvent::result_of({}, {2, 9}), {.result = &result});
  });
  CHECK(history.heading.scheduler == "organic-grid");
  CHECK(history.heading.seed == heading.seed);
  CHECK(history.end.ending == core::Ending::open);
  CHECK(history.end.ended == Time{7s});
  REQUIRE(history.tracks.size() == 2);
  CHECK(history.tracks[0].empty());

  core::TrackReader track(history.tracks[1]);
  REQUIRE(track.event() != nullptr);
  CHECK(track.event()->kind == Kind::start);
  CHECK(track.now() == Time{5ms});
  track.enter();
  REQUIRE(track.leave());
  CHECK(track.event()->from == PeerId{0});
  CHECK(track.event()->number == 300);
  track.enter();
  REQUIRE(track.leave());
  CHECK(track.event()->id == core::TimerId{1, 70000, 3});
  CHECK(track.now() == Time{9ms});
  track.enter();
  REQUIRE(track.leave());
  CHECK(track.now() == Time{8ms});
  CHECK(track.event()->work() == core::WorkId{2, 9});
  CHECK(track.event()->result == result);
  track.enter();
  REQUIRE(track.leave());
  CHECK(track.at_end());
}

TEST_CASE("a void event is in no history, nor is its time") {
  const test::TemporaryDirectory directory;
  const core::History history = written(directory, [](core::TrackWriter& track) {
    track.begins(Time{5ms}, {Kind::start}, {});
    track.begins(Time{90ms}, HostEvent::timer({}, {1, 2, 3}), {});
    track.was_void();
    track.begins(Time{6ms}, {Kind::crash}, {});
  });
  core::TrackReader track(history.tracks[1]);
  track.enter();
  REQUIRE(track.leave());
  CHECK(track.event()->kind == Kind::crash);
  CHECK(track.now() == Time{6ms});
}

TEST_CASE("a host's observations of others are read only where they were written") {
  const test::TemporaryDirectory directory;
  const core::History history = written(directory, [](core::TrackWriter& track) {
    track.begins(Time{}, {Kind::start}, {});
    CHECK(track.sees_life(PeerId{4}, core::Incarnation{0}) == core::Incarnation{0});
    CHECK(track.sees_life(PeerId{4}, core::Incarnation{2}) == core::Incarnation{2});
    CHECK(track.sees_life(PeerId{4}, core::Incarnation{2}) == core::Incarnation{2});
    CHECK(track.sees_change(true));
    CHECK(track.sees_share(0.25) == 0.25);
    track.really();
  });
  core::TrackReader track(history.tracks[1]);
  track.enter();
  CHECK(!track.wants());
  CHECK(!track.life(PeerId{5}));
  CHECK(track.life(PeerId{4}) == core::Incarnation{2});
  CHECK(!track.life(PeerId{4}));
  CHECK(!track.leave());
  CHECK(track.change() == true);
  CHECK(!track.real());
  CHECK(track.share() == 0.25);
  CHECK(track.real());
  CHECK(track.leave());
}

TEST_CASE("a long history is written in pieces and read as one") {
  const test::TemporaryDirectory directory;
  constexpr std::uint64_t many = 20'000;
  const core::History history = written(directory, [](core::TrackWriter& track) {
    for (std::uint64_t i = 0; i < many; ++i) begins_packet(track, Time{i * 1us}, i);
  });
  core::TrackReader track(history.tracks[1]);
  std::uint64_t read = 0;
  for (; track.event() != nullptr; ++read) {
    REQUIRE(track.event()->number == read);
    track.enter();
    REQUIRE(track.leave());
  }
  CHECK(read == many);
}

TEST_CASE("a file that is no whole history of this version is refused with the reason") {
  const test::TemporaryDirectory directory;
  static_cast<void>(written(
      directory, [](core::TrackWriter& track) { track.begins(Time{5ms}, {Kind::start}, {}); }));
  const std::string whole = test::content_of((directory.path() / "one.history").string());
  REQUIRE(whole.size() > 60);

  CHECK(refusal_of("/nowhere/at.all") == " cannot be read");
  const std::string pipe = (directory.path() / "pipe.history").string();
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(refusal_of(pipe) == " cannot be read");  // without waiting for a writer
  CHECK(refusal_of(test::TemporaryFile("").name()) == " is no history of a run");
  const test::TemporaryFile foreign("PK" + whole.substr(2));
  CHECK(refusal_of(foreign.name()) == " is no history of a run");
  const test::TemporaryFile cut(whole.substr(0, whole.size() - 1));
  CHECK(refusal_of(cut.name()) ==
        " has no end: the run was broken off while it was written, or it has been cut");
  std::string changed = whole;
  changed[16] = 9;
  const test::TemporaryFile newer(changed);
  CHECK(refusal_of(newer.name()) == " is a history of version 9, and this program reads version 1");
  changed = whole;
  changed[40] = static_cast<char>(changed[40] ^ 1);
  const test::TemporaryFile flipped(changed);
  CHECK(refusal_of(flipped.name()) == " is damaged");
  const auto crowded = directory.path() / "crowded.history";
  core::HistoryHeading many = heading;
  many.peers = 1'000'000;
  core::HistoryWriter(crowded, many).end({});
  CHECK(refusal_of(crowded.string()) == " is damaged");  // it has fewer bytes than peers
  const auto sparse = directory.path() / "sparse.history";
  std::filesystem::copy_file(directory.path() / "one.history", sparse);
  std::filesystem::resize_file(sparse, std::uintmax_t{1} << 36U);
  CHECK(refusal_of(sparse.string()) == " is longer than what it holds: it is no history");
  const test::TemporaryFile longer(whole + "x");
  CHECK(refusal_of(longer.name()) == " is damaged");
}

TEST_CASE("no damage to a file or to an entry does more than to be refused") {
  const test::TemporaryDirectory directory;
  const core::Result result{.value = "sum 7"};
  const core::History history = written(directory, [&](core::TrackWriter& track) {
    for (int i = 0; i < 20; ++i) {
      begins_packet(track, Time{i * 1ms}, 300);
      static_cast<void>(track.sees_share(0.5));
      track.begins(Time{i * 1ms}, HostEvent::result_of({}, {2, 9}), {.result = &result});
      track.begins(Time{i * 1ms}, HostEvent::timer({}, {1, 70000, 3}), {});
    }
  });
  const std::string whole = test::content_of((directory.path() / "one.history").string());
  core::Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = whole;
    const std::size_t at = rng.below(bytes.size());
    bytes[at] = static_cast<char>(bytes[at] ^ (1U << rng.below(8)));
    if (i % 2 == 1) bytes.resize(rng.below(bytes.size()) + 1);
    const test::TemporaryFile file(bytes);
    CHECK_THROWS_AS(static_cast<void>(core::read_history(file.name())), core::UnreadableHistory);
  }
  for (int i = 0; i < 2000; ++i) {
    core::Bytes entries = history.tracks[1];
    entries[rng.below(entries.size())] = static_cast<std::byte>(rng.below(256));
    try {
      core::TrackReader track(entries);
      while (track.event() != nullptr) {
        track.enter();
        static_cast<void>(track.share());
        static_cast<void>(track.wants());
        if (!track.leave()) break;
      }
    } catch (const core::DamagedTrack&) {
    }
  }
}

TEST_CASE("a history goes through no link of another user to a file of this one") {
  if (geteuid() != 0) return;
  const test::TemporaryDirectory directory;
  const auto mine = directory.path() / "mine";
  std::filesystem::create_directory(mine);
  std::ofstream(mine / "one.history") << "kept";
  const auto theirs = directory.path() / "theirs";
  std::filesystem::create_directory_symlink(mine, theirs);
  REQUIRE(lchown(theirs.c_str(), 65534, 65534) == 0);
  CHECK_THROWS_AS(core::HistoryWriter(theirs / "one.history", heading), std::runtime_error);
  std::string text;
  std::ifstream(mine / "one.history") >> text;
  CHECK(text == "kept");
}

}  // namespace rhizome::history_test
