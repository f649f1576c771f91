// A recording of what a monitor was told: the answers as they came, so that what was seen live can
// be seen again. A file is a line that says what it is, and blocks:
//
//   4 bytes   how long the rest of the block is without its sum, the lowest first, as all numbers
//   1 byte    what it is: an answer, a whole frame (which needs none before it), or the index
//   8 bytes   when it came, in nanoseconds since the recording began
//   ...       the answer as it travels
//   4 bytes   the sum of all but the length (FNV-1a)
//
// About every ten seconds there is a whole frame. The index at the end says where those are; where
// it is missing, because somebody was killed while he recorded, the blocks are looked through.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/peer/time.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/state.hpp"

namespace rhizome::scenarios::live {

struct Recorded {
  core::Duration at{0};  // since the recording began
  Answer answer{};
  bool whole = false;  // a frame that the recording itself has put in, of what is known already
};

// Where a whole frame is.
struct Whole {
  std::uint64_t place = 0;  // in the file
  core::Duration at{0};
  friend bool operator==(const Whole&, const Whole&) = default;
};

class RecordingWriter {
 public:
  static constexpr core::Duration between_wholes = std::chrono::seconds(10);

  // Makes the file anew, with a whole frame after each such time. False from is_sound() once it
  // cannot be written.
  explicit RecordingWriter(const std::filesystem::path& file,
                           core::Duration stretch = between_wholes);
  // Writes the index.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  [[nodiscard]] bool is_sound() const { return out_.good(); }
  // An answer as it came.
  void add(core::Duration at, const core::Bytes& answer);
  // A frame as it came, which made that state: a whole one is put in where it is time for it.
  void add_frame(core::Duration at, const core::Bytes& answer, const State& after);

 private:
  void write(std::uint8_t kind, core::Duration at, const core::Bytes& bytes);

  std::ofstream out_;
  const core::Duration stretch_;
  std::uint64_t place_ = 0;
  core::Duration last_{0};
  std::optional<core::Duration> last_whole_;
  std::vector<Whole> wholes_;
  core::Bytes plan_{};  // the latest, which is written again after each whole frame
};

// The file is no recording, or is damaged; the text says where.
class BadRecording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Recording {
 public:
  // Reads it as far as it can be trusted. Throws BadRecording.
  explicit Recording(const std::filesystem::path& file);

  // Whether it ends in the midst: what was there before can be read.
  [[nodiscard]] bool is_cut_off() const { return cut_off_; }
  // When its last block came.
  [[nodiscard]] core::Duration length() const { return length_; }
  // Ascending.
  [[nodiscard]] const std::vector<Whole>& wholes() const { return wholes_; }
  // The next block, or nothing at the end. Throws BadRecording.
  [[nodiscard]] std::optional<Recorded> next();
  // Goes on with the whole frame that came last by that time, or with the very first block.
  void seek(core::Duration at);

 private:
  struct Block {
    std::uint8_t kind = 0;
    core::Duration at{0};
    core::Bytes bytes{};
  };
  [[nodiscard]] std::optional<Block> read_block();
  [[nodiscard]] bool read_index();
  void look_through();
  [[noreturn]] void refuse(std::string_view why) const;

  std::string name_;
  std::ifstream in_;
  std::uint64_t size_ = 0;
  std::uint64_t place_ = 0;
  std::uint64_t end_ = 0;  // of the blocks before the index
  bool cut_off_ = false;
  core::Duration length_{0};
  std::vector<Whole> wholes_;
};

}  // namespace rhizome::scenarios::live
