// An attachment: the monitor's end of a run under way. It asks, and keeps what it is told.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "core/engine/exchange.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/seen/recording.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/registry.hpp"

namespace rhizome::tools {

class Attachment {
 public:
  // What has happened last.
  enum class News : std::uint8_t {
    none,     // nothing new in that time
    frame,    // the state is another
    refused,  // the run does not answer that; see reason()
    over,     // the experiment has ended; see directory()
    gone      // its process has, without a word
  };

  // Asks for the run of that number, or for whichever began last. Throws core::ExchangeFailed.
  Attachment(const Registry& registry, const RegisteredRun& run,
             std::optional<std::uint32_t> number, std::uint32_t most_facts);

  // Until the run has answered for the first time, so that it tells of its end; in vain where it
  // does not answer for long.
  void meet();
  // Waits for news. After the last two there are no more, and none after `refused` until turned to
  // another run by ask().
  [[nodiscard]] News wait(std::chrono::milliseconds most);
  // From the next ask on, another run of the experiment, or whichever began last.
  void turn_to(std::optional<std::uint32_t> number) { number_ = number; }
  // For what has changed; by itself after each frame.
  void ask();
  // From the next ask on, for the views of overlays as well, or no longer.
  void want_views(bool wanted) { views_ = wanted; }
  // Once a second also which runs there are, and of each run what was decided beforehand.
  void look_around();
  // For all that was noted of a task or by a peer: the knowledge has it some time later.
  void ask_for(scenarios::live::Story story);
  // Whatever it is told from now on is recorded, too, as long as both live.
  void record(scenarios::live::RecordingWriter& recording) { recording_ = &recording; }
  [[nodiscard]] std::optional<std::uint32_t> wanted() const { return number_; }

  [[nodiscard]] const scenarios::live::Knowledge& known() const { return known_; }
  [[nodiscard]] const scenarios::live::Welcome& welcome() const { return known_.welcome; }
  [[nodiscard]] const scenarios::live::State& state() const { return known_.state; }
  // The latest that was taken in.
  [[nodiscard]] const scenarios::live::Frame& latest_frame() const { return latest_frame_; }
  [[nodiscard]] const RegisteredRun& run() const { return run_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  // How long it has been without an answer.
  [[nodiscard]] std::chrono::steady_clock::duration silence() const {
    return std::chrono::steady_clock::now() - heard_;
  }
  // What came with the latest wait(), as it came; empty where nothing did.
  [[nodiscard]] const core::Bytes& answer() const { return answer_; }
  // What the latest frame told of facts.
  [[nodiscard]] const scenarios::live::FactSlice& latest_facts() const {
    return known_.latest_facts;
  }

 private:
  News take(scenarios::live::Welcome&& welcome);
  News take(scenarios::live::Frame&& frame);
  News take(scenarios::live::Refused&& refused);
  News take(scenarios::live::Over&& over);
  News take(scenarios::live::Done&&) { return News::none; }  // which answers no question of its own
  News take(scenarios::live::Plan&& plan);
  News take(scenarios::live::Facts&& facts);
  News take(scenarios::live::Roll&& roll);
  void keep(const core::Bytes& bytes, News news);

  const Registry registry_;
  const RegisteredRun run_;
  std::optional<std::uint32_t> number_;
  bool views_ = false;
  const std::uint32_t most_facts_;
  core::ExchangeClient exchange_;
  bool welcomed_ = false;
  core::Bytes answer_;
  scenarios::live::Knowledge known_;
  scenarios::live::Frame latest_frame_;
  scenarios::live::RecordingWriter* recording_ = nullptr;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::chrono::steady_clock::time_point looked_{};
  std::uint32_t stories_ = 0;
  std::string reason_;
  std::string directory_;
  std::chrono::steady_clock::time_point heard_ = std::chrono::steady_clock::now();
};

}  // namespace rhizome::tools
