// The file stager of a peer beside a scheduler that knows nothing of files, and what tests say to
// both.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>
#include <vector>

#include "agents/files/file_stager.hpp"
#include "agents/service_time.hpp"
#include "test/support/lone_peer.hpp"
#include "test/support/small_world.hpp"

namespace rhizome::test::lone_file_stager {

using namespace agents::files;
using namespace std::chrono_literals;
using agents::Task;
using agents::TaskId;
using core::PeerId;

inline constexpr std::uint64_t size = 100'000;  // two chunks
inline constexpr PeerId home{0};
inline constexpr PeerId self{1};
inline constexpr PeerId other{2};

struct GiveFile {
  static constexpr core::MessageInfo info{"give", core::MessageClass::job, core::Cause::work};
  std::vector<Task> tasks;
  bool run = true;
};
struct Command {
  static constexpr core::MessageInfo info{"command", core::MessageClass::information,
                                          core::Cause::work};
  PeerId to;
  bool stop = false;
  bool drop = false;
};

// Begins every task at once, or keeps it until a command says to which peer to give it, or to drop
// it.
class Careless {
 public:
  using Messages = core::OneOf<GiveFile, Command>;
  using Env = core::Env<Messages>;
  using Hears = core::OneOf<CargoGone>;
  static constexpr std::string_view name = "careless";
  void on(Env& env, PeerId, const GiveFile& give) {
    for (const Task& task : give.tasks) {
      had.push_back(task);
      if (give.run) works.push_back(env.work(agents::work_of(task, 1s)));
    }
  }
  void on(Env& env, PeerId, const Command& command) {
    if (command.stop)
      for (const core::WorkId work : works) env.stop(work);
    else if (command.drop)
      for (const Task& task : had) env.raise(CargoDropped{agents::subject_of(task.id)});
    else
      env.send(command.to, GiveFile{had});
  }
  void on(Env&, const CargoGone& cargo) { gone.push_back(cargo); }
  void on(Env&, const core::WorkDone&) { ++done; }
  std::vector<Task> had;
  std::vector<core::WorkId> works;
  std::vector<CargoGone> gone;
  int done = 0;
};

struct Lone {
  test::World world = [] {
    test::World made = test::small_world();
    made.files = {
        .used = true, .chunk = smallest_chunk, .cache = 150'000, .output = 70'000, .largest = size};
    return made;
  }();
  FileRef file = make_file(5, size, world.files.chunk, home);
  test::LonePeer<FileStager> peer{self, [this](core::Peer& bare) {
                                    bare.add<Careless>();
                                    bare.add<FileStager>(self, world);
                                  }};

  Lone() { peer.start(); }
  Lone(const Lone&) = delete;
  Lone& operator=(const Lone&) = delete;

  [[nodiscard]] Task task(std::uint32_t portion, std::uint64_t output = 0) const {
    Task made{.id = {0, portion}, .duration = 1s};
    made.recipe = made.recipe.with({agents::subject_of(made.id), {file}, output, home});
    return made;
  }
  void give(const Task& task, bool run = true) {
    peer.deliver_to<Careless>(other, GiveFile{{task}, run});
  }
  // Answers as a peer that has the file.
  void serve(PeerId from) { serve(from, file); }
  void serve(PeerId from, const FileRef& what) {
    const std::uint32_t chunk = world.files.chunk;
    peer.deliver(from, Contents{what.name, make_index(what.content, what.size, chunk)});
    for (std::uint32_t i = 0; i < chunks_of(what.size, chunk); ++i)
      peer.deliver(from, Chunk{what.name, i, make_chunk(what.content, what.size, chunk, i)});
  }
  [[nodiscard]] const Careless& careless() { return *peer.peer().find<Careless>(); }
};

}  // namespace rhizome::test::lone_file_stager
