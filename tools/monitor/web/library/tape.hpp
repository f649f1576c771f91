// A tape: a recording cut into stretches, each of which can be shown without those before it, so
// that a page goes to any time of a long one and holds little of it. Times on a tape are emulated;
// where it holds several runs, each begins where the one before it ended.
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

// Where frames stand on a tape.
class TapeTime {
 public:
  // In seconds; true where a run begins with that frame.
  bool take(const scenarios::live::Frame& frame);
  [[nodiscard]] double now() const { return now_; }
  // What is to be added to the time of the present run.
  [[nodiscard]] double offset() const { return offset_; }

 private:
  std::optional<scenarios::live::RunTitle> run_{};
  double latest_ = 0;  // of that run
  double offset_ = 0;
  double now_ = 0;
};

class Tape {
 public:
  // Reads all of it. Throws BadRecording, also where it holds no frame.
  Tape(std::filesystem::path file, std::string name);

  // In one line of JSON: its name and times, its runs, what it should be marked with, totals over
  // time, and whether it tells what each peer sent.
  [[nodiscard]] const std::string& summary() const { return summary_; }
  // Whether the recording ends in the midst, because its monitor was killed.
  [[nodiscard]] bool is_cut_off() const { return cut_off_; }
  [[nodiscard]] std::size_t stretches() const { return begins_.size(); }
  // The pieces of a stretch (pieces.hpp), whole in itself. Throws BadRecording.
  [[nodiscard]] std::string stretch(std::size_t i) const;
  // All that was noted of a task, as a piece. Throws BadRecording.
  [[nodiscard]] std::string story(const scenarios::live::Story& story) const;
  // What was known at its end, as OpenMetrics; for so many that have the page open.
  [[nodiscard]] std::string metrics(std::size_t clients) const;

 private:
  class Reader;

  std::filesystem::path file_;
  std::string summary_;
  bool cut_off_ = false;
  scenarios::live::Knowledge last_;  // but for what is suspected
  MoveCounts moves_;
  std::vector<scenarios::live::Whole> wholes_;
  std::vector<TapeTime> begins_;  // of each stretch, before its first frame
};

}  // namespace rhizome::tools
