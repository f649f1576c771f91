// A peer under vector scheduling beside its file stager: whose files are kept here, and until when.
#include <doctest/doctest.h>

#include <any>
#include <chrono>
#include <cstdint>

#include "agents/files/file_stager.hpp"
#include "agents/schedulers.hpp"
#include "agents/vector/vector.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::vector_files_test {

using namespace agents::files;
using namespace std::chrono_literals;
using agents::Task;
using agents::vectors::Heard;
using agents::vectors::Taken;
using agents::vectors::Transfer;
using core::PeerId;

namespace {

constexpr std::uint64_t size = 1000;  // one chunk
constexpr PeerId source{0};
constexpr PeerId self{1};

struct Lone {
  test::World world = [] {
    test::World made = test::small_world();
    made.files = {.used = true, .chunk = smallest_chunk, .largest = size};
    return made;
  }();
  FileRef file = make_file(5, size, world.files.chunk, source);
  std::any options = agents::vectors::Options{};
  test::LonePeer<agents::VectorPeer> peer{self, [this](core::Peer& bare) {
                                            agents::vector_scheduling().equip(bare, options, world);
                                            bare.add<FileStager>(self, world);
                                          }};

  Lone() {
    peer.start();
    REQUIRE(peer.complete_next());  // the measurement
  }
  Lone(const Lone&) = delete;
  Lone& operator=(const Lone&) = delete;

  [[nodiscard]] Task task(std::uint32_t portion) const {
    Task made{.id = {0, portion}, .duration = 100ms};
    made.recipe = made.recipe.with({agents::subject_of(made.id), {file}, 0, source});
    return made;
  }
  void transfer(std::uint64_t number, std::uint32_t portion) {
    peer.deliver(source, Transfer{.number = number, .tasks = {task(portion)}});
  }
  void serve() {
    const std::uint32_t chunk = world.files.chunk;
    peer.deliver_to<FileStager>(source, Contents{file.name, make_index(file.content, size, chunk)});
    peer.deliver_to<FileStager>(source,
                                Chunk{file.name, 0, make_chunk(file.content, size, chunk, 0)});
  }
  // The task ends, and needs its files no longer.
  void end_task() {
    REQUIRE(peer.complete_next());
    CHECK_FALSE(pinned());
  }
  [[nodiscard]] bool pinned() { return peer.peer().find<FileStager>()->cache().pinned(file.name); }
};

}  // namespace

TEST_CASE("a transfer that comes again keeps no files for its tasks, which are done") {
  Lone lone;
  lone.transfer(1, 4);
  lone.serve();
  CHECK(lone.pinned());
  lone.end_task();
  lone.peer.deliver(source, Heard{.noted = {{0, 4}}, .needless = {}});
  lone.transfer(1, 4);
  CHECK(lone.peer.sent<Taken>().size() == 2);
  CHECK_FALSE(lone.pinned());
}

TEST_CASE("nor does a transfer that comes again while they run") {
  Lone lone;
  lone.transfer(1, 4);
  lone.serve();
  lone.transfer(1, 4);
  CHECK(lone.pinned());
  lone.end_task();
}

TEST_CASE("nor a transfer that brings a task again that runs or was done here") {
  Lone lone;
  lone.transfer(1, 4);
  lone.serve();
  lone.transfer(2, 4);
  lone.end_task();
  lone.transfer(3, 4);
  CHECK(lone.peer.works().empty());
  CHECK_FALSE(lone.pinned());
}

TEST_CASE("a transfer that comes again leaves their files to its tasks that wait") {
  Lone lone;
  lone.peer.deliver(source, Transfer{.number = 1, .tasks = {{.id = {0, 3}, .duration = 100ms}}});
  lone.transfer(2, 4);
  lone.serve();
  lone.transfer(2, 4);
  CHECK(lone.pinned());
  REQUIRE(lone.peer.complete_next());
  lone.end_task();
}

}  // namespace rhizome::vector_files_test
