// A recording as a source: it goes on by itself, faster or slower, rests, and goes to any time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "scenarios/live/seen/recording.hpp"
#include "tools/monitor/source.hpp"

namespace rhizome::tools {

class Playback : public Source {
 public:
  // Shows its first frame. Throws BadRecording, as all that reads on. `directory`: of the run, if
  // that is known.
  explicit Playback(std::filesystem::path file, std::filesystem::path directory = {});

  [[nodiscard]] bool wait(std::chrono::milliseconds most) override;
  [[nodiscard]] const scenarios::live::Knowledge& known() const override { return known_; }
  [[nodiscard]] const scenarios::live::State& state() const override { return known_.state; }
  [[nodiscard]] std::filesystem::path directory() const override { return directory_; }
  [[nodiscard]] std::string standing() const override;
  [[nodiscard]] std::string grant(Wish::Kind wish, const View& view) override;

  // The next frame, whatever the time: false at the end.
  [[nodiscard]] bool step();
  // The last frame by that time since the recording began.
  void go_to(core::Duration at);
  [[nodiscard]] core::Duration at() const { return at_; }
  [[nodiscard]] bool is_cut_off() const { return recording_.is_cut_off(); }

 private:
  // Takes the next recorded message; true if it has changed the state.
  bool take_next();
  bool take(scenarios::live::Recorded&& told);
  void go_by(Wish::Kind wish);
  [[nodiscard]] std::string change_speed(double factor);
  void tell_story(const scenarios::live::Story& story);

  std::filesystem::path file_;
  std::filesystem::path directory_;
  scenarios::live::Recording recording_;
  scenarios::live::Knowledge known_;
  std::map<std::uint32_t, std::shared_ptr<const scenarios::live::KnownPlan>> plans_;  // by run
  std::optional<scenarios::live::Recorded> next_;
  core::Duration at_{0};
  double speed_ = 1;
  bool paused_ = false;
};

}  // namespace rhizome::tools
