// A recording of a monitor session: all answers as they came, so that a user can watch the session
// again. A file begins with a line that identifies it, followed by blocks:
//
//   4 bytes   length of the rest of the block without its checksum; little-endian, as all numbers
//   1 byte    kind: an answer, a whole frame (which needs no frame before it), or the index
//   8 bytes   time of arrival, in nanoseconds since the recording began
//   ...       the answer as it is encoded in messages
//   4 bytes   checksum of all but the length (FNV-1a)
//
// About every ten seconds there is a whole frame. The index at the end holds the places of the
// whole frames. Where the index is missing, because the monitor was killed while it recorded, the
// reader scans all blocks.
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
  bool whole = false;       // a frame that the recorder inserted, which holds nothing new
  std::uint64_t place = 0;  // in the file
};

// The place of a whole frame.
struct Whole {
  std::uint64_t place = 0;  // in the file
  core::Duration at{0};
  friend bool operator==(const Whole&, const Whole&) = default;
};

class RecordingWriter {
 public:
  static constexpr core::Duration between_wholes = std::chrono::seconds(10);

  // Creates or overwrites the file, with a whole frame every `stretch`. is_sound() returns false
  // once the file cannot be written.
  explicit RecordingWriter(const std::filesystem::path& file,
                           core::Duration stretch = between_wholes);
  // Writes the index.
  ~RecordingWriter();
  RecordingWriter(const RecordingWriter&) = delete;
  RecordingWriter& operator=(const RecordingWriter&) = delete;

  [[nodiscard]] bool is_sound() const { return out_.good(); }
  // An answer as it came.
  void add(core::Duration at, const core::Bytes& answer);
  // A frame as it came, and the state after it. Inserts a whole frame where one is due.
  void add_frame(core::Duration at, const core::Bytes& answer, const State& after);

 private:
  void write(std::uint8_t kind, core::Duration at, const core::Bytes& bytes);

  std::ofstream out_;
  const core::Duration stretch_;
  std::uint64_t place_ = 0;
  core::Duration last_{0};
  std::optional<core::Duration> last_whole_;
  std::vector<Whole> wholes_;
  core::Bytes plan_{};  // the latest plan, which is written again after each whole frame
};

// The file is not a recording, or is damaged. The text tells where.
class BadRecording : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Whether the file begins as a recording does.
[[nodiscard]] bool is_recording(const std::filesystem::path& file);

class Recording {
 public:
  // Opens the recording and finds its sound part. Throws BadRecording.
  explicit Recording(const std::filesystem::path& file);

  // Whether the file is truncated. The blocks before its end can be read.
  [[nodiscard]] bool is_cut_off() const { return cut_off_; }
  // The time of the last block.
  [[nodiscard]] core::Duration length() const { return length_; }
  // Ascending.
  [[nodiscard]] const std::vector<Whole>& wholes() const { return wholes_; }
  // The next block, or nothing at the end. Throws BadRecording.
  [[nodiscard]] std::optional<Recorded> next();
  // Makes next() go on with the last whole frame at or before that time, or else with the first
  // block.
  void seek(core::Duration at);
  // Makes next() go on there: at the place of a block.
  void go_to(std::uint64_t place) { place_ = place; }

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
