// The messages of the file stager and its facts (Peterson, dissertation, section 4.3): a task is
// sent with a DoYouNeedFile for each of its files; the receiver answers IHaveFile or INeedFile;
// then the file is sent.
#pragma once

#include <cstdint>
#include <vector>

#include "agents/files/content.hpp"
#include "agents/task.hpp"
#include "core/peer/env.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"

namespace rhizome::agents::files {

using core::operator==;

// A task that needs these files has been sent to the receiver; or a task has left this output, and
// the receiver is to have it.
struct DoYouNeed {
  static constexpr core::MessageInfo info{"do-you-need", MessageClass::information,
                                          Cause::inventory};
  std::uint64_t subject = 0;  // the task's
  std::vector<FileRef> files;
  bool output = false;
};
struct IHave {
  static constexpr core::MessageInfo info{"i-have", MessageClass::information, Cause::inventory};
  std::vector<Digest> names;
  std::vector<std::uint64_t> left_by;  // the tasks whose outputs are kept
};
// Asks for these chunks of a file; without any, for its index.
struct INeed {
  static constexpr core::MessageInfo info{"i-need", MessageClass::information, Cause::inventory};
  FileRef file;
  std::vector<std::uint32_t> chunks;
};
// The receiver asked for a file that is not here, or not any more.
struct NotHere {
  static constexpr core::MessageInfo info{"not-here", MessageClass::information, Cause::inventory};
  Digest name;
};
struct Contents {
  static constexpr core::MessageInfo info{"contents", MessageClass::information, Cause::inventory};
  Digest name;
  Index index;
};
struct Chunk {
  static constexpr core::MessageInfo info{"chunk", MessageClass::information, Cause::input};
  Digest name;
  std::uint32_t number = 0;
  core::Bytes bytes;
};
using Messages = core::OneOf<DoYouNeed, IHave, INeed, NotHere, Contents, Chunk>;

// Nothing of this file has come for too long.
struct StallDue {
  Digest name;
};
// The output of this task has been offered, and no peer has asked for it for too long.
struct OfferDue {
  std::uint64_t subject = 0;
};
using Timers = core::OneOf<StallDue, OfferDue>;

// Facts. Runs without files have none, and a store makes their tables only if there are some.

struct FilesWanted {
  static constexpr core::FactInfo info{
      "files-wanted", "A task came to a peer, which had so many of its files.",
      "job | portion | files: how many it needs | here: of them, how many the peer had",
      core::Noted::seldom};
  TaskId task;
  std::uint32_t files = 0;
  std::uint32_t here = 0;
};
struct FilesAwaited {
  static constexpr core::FactInfo info{
      "files-awaited", "A task could have begun, but waited so long for its files.",
      "job | portion | waited: since it was to begin", core::Noted::seldom};
  TaskId task;
  core::Duration waited{0};
};
struct FileFetched {
  static constexpr core::FactInfo info{
      "file-fetched",
      "A peer has brought a file here, in so many chunks, and asked for so many of them again.",
      "file: the first 53 bits of its name | bytes: its size | chunks: how many it has | again: of "
      "them, how many times one was asked for again | took: since it was first asked for | output: "
      "1: what a task left; 0: what tasks need",
      core::Noted::seldom};
  std::uint64_t file = 0;  // the first 53 bits of its name
  std::uint64_t bytes = 0;
  std::uint32_t chunks = 0;
  std::uint32_t again = 0;
  core::Duration took{0};
  bool output = false;
};
struct OutputKept {
  static constexpr core::FactInfo info{
      "output-kept",
      "What a task leaves is at its client, verified: right if it is what it must be.",
      "job | portion | bytes: its size | right: 1: it is what the task must leave",
      core::Noted::seldom};
  TaskId task;
  std::uint64_t bytes = 0;
  bool right = false;
};
using Facts = core::OneOf<FilesWanted, FilesAwaited, FileFetched, OutputKept>;

using Env = core::Env<Messages, Timers, Facts>;

// What the file stager of a peer and the services beside it tell each other. Signals.

// A packet that brings this task there has gone: before that its files were not all here.
struct CargoGone {
  core::PeerId to;
  std::uint64_t subject;
};

// The task will neither begin here nor go on from here: it needs no files any more.
struct CargoDropped {
  std::uint64_t subject;
};

}  // namespace rhizome::agents::files
