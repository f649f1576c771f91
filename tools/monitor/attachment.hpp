// An attachment: the monitor's connection to a run under way. It sends requests and keeps the
// answers.
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
  // The latest event of the connection.
  enum class News : std::uint8_t {
    none,     // no event within the waiting time
    frame,    // the state has changed
    refused,  // the run refuses the request; see reason()
    over,     // the experiment has ended; see directory()
    gone      // the process has ended without notice
  };

  // Requests the run of that number, or the newest run if there is none. Throws
  // core::ExchangeFailed.
  Attachment(const Registry& registry, const RegisteredRun& run,
             std::optional<std::uint32_t> number, std::uint32_t most_facts);

  // Waits for the first answer of the run, so that the run later reports its end to this monitor.
  // Gives up if the run does not answer for a long time.
  void meet();
  // Waits for an event. `over` and `gone` are final. After `refused` nothing comes until ask()
  // requests another run.
  [[nodiscard]] News wait(std::chrono::milliseconds most);
  // The next request asks for this run of the experiment, or for the newest run.
  void turn_to(std::optional<std::uint32_t> number) { number_ = number; }
  // Requests what has changed. After each frame, this happens automatically.
  void ask();
  // Whether requests include the views of overlays, from the next request on.
  void want_views(bool wanted) { views_ = wanted; }
  // Once a second, also requests the list of runs, and for each run its plan.
  void look_around();
  // Requests all facts about a task or a peer; known() has them some time later.
  void ask_for(scenarios::live::Story story);
  // From now on, also writes all answers to the recording. The recording must live as long as this
  // object.
  void record(scenarios::live::RecordingWriter& recording) { recording_ = &recording; }
  [[nodiscard]] std::optional<std::uint32_t> wanted() const { return number_; }

  [[nodiscard]] const scenarios::live::Knowledge& known() const { return known_; }
  [[nodiscard]] const scenarios::live::Welcome& welcome() const { return known_.welcome; }
  [[nodiscard]] const scenarios::live::State& state() const { return known_.state; }
  // The latest frame that was applied.
  [[nodiscard]] const scenarios::live::Frame& latest_frame() const { return latest_frame_; }
  [[nodiscard]] const RegisteredRun& run() const { return run_; }
  [[nodiscard]] const std::string& reason() const { return reason_; }
  [[nodiscard]] const std::string& directory() const { return directory_; }
  // The time since the last answer.
  [[nodiscard]] std::chrono::steady_clock::duration silence() const {
    return std::chrono::steady_clock::now() - heard_;
  }
  // The raw bytes that the latest wait() received; empty if it received none.
  [[nodiscard]] const core::Bytes& answer() const { return answer_; }
  // The facts in the latest frame.
  [[nodiscard]] const scenarios::live::FactSlice& latest_facts() const {
    return known_.latest_facts;
  }

 private:
  News take(scenarios::live::Welcome&& welcome);
  News take(scenarios::live::Frame&& frame);
  News take(scenarios::live::Refused&& refused);
  News take(scenarios::live::Over&& over);
  News take(scenarios::live::Done&&) { return News::none; }  // answers no request of its own
  News take(scenarios::live::Plan&& plan);
  News take(scenarios::live::FoundFacts&& facts);
  News take(scenarios::live::RunsAnswer&& answer);
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
