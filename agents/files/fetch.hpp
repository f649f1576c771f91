// One file on its way to this peer: which chunks are here, which were asked for, and which peers
// have the file. The receiver decides the order of chunks, so that only a lost chunk is asked for
// again.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "agents/file_options.hpp"
#include "agents/files/content.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::files {

class Fetch {
 public:
  // The index is known where the file is empty or its chunks have begun to come. For a first answer
  // it waits for `patience`.
  Fetch(const FileRef& file, const Options& options, core::Time now, core::Duration patience)
      : file_(file),
        chunk_(options.chunk),
        begun_(now),
        patience_(patience),
        most_patience_(options.most_patience()) {}

  [[nodiscard]] const FileRef& file() const { return file_; }
  [[nodiscard]] core::Time begun() const { return begun_; }
  // The peer to ask now; core::no_peer if none is known.
  [[nodiscard]] core::PeerId holder() const {
    return holders_.empty() ? core::no_peer : holders_[turn_ % holders_.size()];
  }
  // Another peer that has the file; it is asked once the holders before it do not answer.
  void add_holder(core::PeerId peer);
  // Removes a peer that does not have the file. False if no other is known.
  bool drop_holder(core::PeerId peer);

  [[nodiscard]] bool indexed() const { return !index_.empty(); }
  // Takes the index if it matches the file's name; otherwise nothing changes.
  bool take(const Index& index);
  // Takes a chunk if it is verified and new; otherwise nothing changes.
  bool take(core::Time now, std::uint32_t number, std::span<const std::byte> bytes);
  [[nodiscard]] bool whole() const { return indexed() && left_ == 0; }
  [[nodiscard]] const Index& index() const { return index_; }

  // The chunks to ask for now, which then count as asked for: none while enough are under way.
  [[nodiscard]] std::vector<std::uint32_t> wanted(core::Time now);
  // Called when nothing has come for patience(): all missing chunks are asked for again, of the
  // next holder.
  void stall();
  // Asks that holder again for all missing chunks.
  void turn_to(core::PeerId holder);
  [[nodiscard]] core::Duration patience() const { return patience_; }
  [[nodiscard]] std::uint32_t tries() const { return tries_; }  // fruitless, in a row
  [[nodiscard]] std::uint32_t again() const { return again_; }  // chunks asked for once more

 private:
  FileRef file_;
  std::uint32_t chunk_;
  core::Time begun_;
  std::vector<core::PeerId> holders_;
  std::size_t turn_ = 0;
  Index index_;
  std::vector<bool> here_;
  std::size_t left_ = 0;
  std::vector<bool> asked_before_;
  std::map<std::uint32_t, core::Time> asked_;
  std::uint32_t window_ = 1;
  std::uint32_t tries_ = 0;
  std::uint32_t again_ = 0;
  core::Duration patience_;
  core::Duration most_patience_;
};

}  // namespace rhizome::agents::files
