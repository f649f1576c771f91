// The file stager of a peer: sees to it that a task neither runs nor moves before its files are
// there (Peterson, dissertation, section 4.3), and that its end is told only once its output is
// with its client. It stands between any scheduler and the engine, and no scheduler knows of it:
// work, and messages with tasks, are kept back until their files have come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "agents/client.hpp"
#include "agents/files/cache.hpp"
#include "agents/files/fetch.hpp"
#include "agents/files/messages.hpp"
#include "agents/scheduler.hpp"
#include "core/peer/cargo.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/env.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/time.hpp"
#include "core/peer/work.hpp"

namespace rhizome::agents::files {

// Effects that a peer keeps back until files have come or gone: work that could begin, messages
// with tasks that could go on, and the ends of work whose output is not yet with its client. A task
// holds its processor meanwhile, as jobs of a batch system do while they are staged in and out.

// A piece of work with cargo, from its start to its end.
struct HeldWork {
  enum class State { waiting, running, ended };
  core::Cargo cargo;
  State state = State::running;
  core::Work work{};      // of one that waits
  core::Time since{};     // likewise
  double rate = 1;        // likewise
  core::WorkDone done{};  // of one that has ended
};

struct HeldPacket {
  core::PacketHeader header;
  core::Bytes payload;
  std::vector<core::Cargo> cargoes;
};

struct Hold {
  std::map<core::WorkId, HeldWork> works;
  std::vector<HeldPacket> packets;  // in the order in which they were sent
};

class FileStager {
 public:
  using Messages = files::Messages;
  using Timers = files::Timers;
  using Env = files::Env;
  using Hears = core::OneOf<core::CargoCame, CargoDropped>;
  using Inputs = core::OneOf<JobArrives>;
  static constexpr std::string_view name = "file stager";
  static constexpr bool perpetual = true;

  // The world outlives it.
  FileStager(core::PeerId self, const World& world)
      : self_(self),
        world_(world),
        options_(world.files),
        cache_(world.files.cache),
        patience_(world.files.patience) {}

  [[nodiscard]] bool believes(core::PeerId from, const DoYouNeed& message) const;
  [[nodiscard]] bool believes(core::PeerId from, const IHave& message) const;
  [[nodiscard]] bool believes(core::PeerId from, const INeed& message) const;
  [[nodiscard]] bool believes(core::PeerId from, const NotHere&) const;
  [[nodiscard]] bool believes(core::PeerId from, const Contents& message) const;
  [[nodiscard]] bool believes(core::PeerId from, const Chunk& message) const;

  void on(Env& env, const core::CargoCame& came);
  void on(Env&, const CargoDropped& dropped) { forget(dropped.subject); }
  void on(Env& env, const JobArrives& arrival);
  void on(Env& env, core::PeerId from, const DoYouNeed& message);
  void on(Env& env, core::PeerId from, const IHave& message);
  void on(Env& env, core::PeerId from, const INeed& message);
  void on(Env& env, core::PeerId from, const NotHere& message);
  void on(Env& env, core::PeerId from, const Contents& message);
  void on(Env& env, core::PeerId from, const Chunk& message);
  void on(Env& env, const StallDue& due);
  void on(Env& env, const OfferDue& due);
  // A peer that leaves may keep nothing back: its tasks go at once, and their files must be had
  // from their homes.
  void on(Env& env, const core::Departure&);

  void inspect(Env& env, core::Effects& effects, std::size_t first);
  [[nodiscard]] bool keeps(Env& env, const core::WorkDone& done);

  [[nodiscard]] const Cache& cache() const { return cache_; }
  [[nodiscard]] std::size_t transfers() const { return fetches_.size(); }
  // Silence after which an output is given up: by the peer that made it and offered it all the
  // while, or by its client, to which that peer may offer it again.
  [[nodiscard]] core::Duration longest_silence() const {
    return most_tries * options_.most_patience();
  }

 private:
  struct Coming {
    Fetch fetch;
    core::Time heard{};  // time of its last chunk, or of the request
    core::TimerId stall{};
    std::vector<std::uint64_t> left_by{};  // tasks that left an output
  };
  struct Output {
    FileRef file;
    core::PeerId client;
    core::Time heard{};  // when the client asked for it last; at first, when it was made
    core::Duration patience{};
    std::vector<core::WorkId> works{};
    core::TimerId offer{};
  };
  // Actions to be done once all effects of an event have been inspected.
  struct Deeds {
    std::vector<std::pair<core::PeerId, core::Cargo>> offers;
    std::vector<FileRef> needs;
  };

  [[nodiscard]] static TaskId task_of(std::uint64_t subject) {
    return {static_cast<std::uint32_t>(subject >> 32U), static_cast<std::uint32_t>(subject)};
  }
  [[nodiscard]] bool likely(const FileRef& file) const;
  [[nodiscard]] bool here(const FileRef& file) const;
  [[nodiscard]] bool here(const core::Cargo& cargo) const;
  void pin(const core::Cargo& cargo);
  void unpin(const core::Cargo& cargo);
  void forget(std::uint64_t subject);

  bool holds(Env& env, core::Effects& effects, const core::Send& send, Deeds& deeds);
  bool holds(Env& env, core::Effects& effects, const core::StartWork& start, Deeds& deeds);
  bool holds(const core::StopWork& stop);
  bool holds(const core::PaceWork& pace);
  void offer(Env& env, core::PeerId to, const core::Cargo& cargo);
  void release(Env& env);
  void release_works(Env& env);
  void release_packets(Env& env);

  void fetch(Env& env, const FileRef& file, core::PeerId from);
  void ask(Env& env, Coming& coming);
  void ask_again(Env& env, Coming& coming, core::PeerId holder);
  void arm(Env& env, Coming& coming);
  void arrived(Env& env, Coming coming);
  void learn_patience(const Fetch& fetch);
  void need_output(Env& env, core::PeerId from, const DoYouNeed& message);
  bool asked_for_output(Env& env, const Digest& file);
  void leave(Env& env, const core::WorkId& id, HeldWork& work);
  void offer(Env& env, std::uint64_t subject, Output& output);
  void settle(Env& env, const Output& output);
  void keep(Env& env, std::uint64_t subject, const FileRef& file);
  const Cache::Entry* entry_of(const FileRef& file);

  const core::PeerId self_;
  const World& world_;
  const Options& options_;
  Cache cache_;
  core::Duration patience_;  // for the first answer of a transfer or to an offer
  std::map<Digest, Coming> fetches_;
  std::map<std::uint64_t, Output> outputs_;       // of tasks, not yet with their clients
  std::set<std::uint64_t> kept_;                  // tasks whose outputs were brought here
  std::set<Digest> kept_files_;                   // those outputs: short ones may be equal
  std::map<std::uint64_t, core::Cargo> waiting_;  // of tasks here that have not begun
  Hold hold_;
};

}  // namespace rhizome::agents::files
