// A recording cut into stretches. Each stretch can be shown without those before it, so that a page
// can go to any time of a long recording and hold only a little of it. Times are emulated. If a
// recording holds several runs, each begins where the one before it ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/live/frame.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/seen/recording.hpp"
#include "scenarios/live/state.hpp"
#include "scenarios/text/json.hpp"
#include "tools/monitor/web/metrics_text.hpp"

namespace rhizome::tools {

// The times of frames in a recording.
class RecordingTime {
 public:
  // Takes the next frame; returns true if a run begins with it. now() is in seconds.
  bool take(const scenarios::live::Frame& frame);
  [[nodiscard]] double now() const { return now_; }
  // The seconds to add to times of the present run.
  [[nodiscard]] double offset() const { return offset_; }

 private:
  std::optional<scenarios::live::RunTitle> run_{};
  double latest_ = 0;  // of that run
  double offset_ = 0;
  double now_ = 0;
};

class SeekableRecording {
 public:
  // Reads the whole recording. Throws BadRecording, also if it holds no frame.
  SeekableRecording(std::filesystem::path file, std::string name);

  // One line of JSON: name, times, runs, marks, totals over time, and whether the recording has the
  // messages that each peer sent.
  [[nodiscard]] const std::string& summary() const { return summary_; }
  // Whether the recording is incomplete because its monitor was killed.
  [[nodiscard]] bool is_cut_off() const { return cut_off_; }
  [[nodiscard]] std::size_t stretches() const { return begins_.size(); }
  // The pieces of a stretch (pieces.hpp), complete without other stretches. Throws BadRecording.
  [[nodiscard]] std::string stretch(std::size_t i) const;
  // All facts about a task, as a piece. Throws BadRecording.
  [[nodiscard]] std::string story(const scenarios::live::Story& story) const;
  // The figures at the end of the recording in OpenMetrics; `clients` is the number of open pages.
  [[nodiscard]] std::string metrics(std::size_t clients) const;

 private:
  class Reader;

  std::filesystem::path file_;
  std::string summary_;
  bool cut_off_ = false;
  scenarios::live::Knowledge last_;  // without suspicions
  MoveCounts moves_;
  struct Begin {
    RecordingTime time{};     // before the first frame
    std::uint64_t place = 0;  // of that frame in the file
  };
  std::vector<Begin> begins_;  // of the stretches
};

}  // namespace rhizome::tools
