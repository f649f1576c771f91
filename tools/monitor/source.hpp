// A source of a monitor: a run under way, or a recording of one.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "scenarios/live/messages.hpp"
#include "scenarios/live/seen/knowledge.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/keys.hpp"

namespace rhizome::tools {

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source() = default;

  // Waits for changes, at most so long; returns whether there is something new to show.
  [[nodiscard]] virtual bool wait(std::chrono::milliseconds most) = 0;
  [[nodiscard]] virtual const scenarios::live::Knowledge& known() const = 0;
  // The state to show, of the present or of the past.
  [[nodiscard]] virtual const scenarios::live::State& state() const = 0;
  // Where the run is kept; empty where that is not known.
  [[nodiscard]] virtual std::filesystem::path directory() const = 0;
  // Whether the views of overlays are wanted from now on. A recording has only its recorded views.
  virtual void want_views(bool) {}
  // The status in a few words: live, a time in the past, or why there is no news.
  [[nodiscard]] virtual std::string standing() const = 0;
  // Fulfils a wish of the user of that view; returns a short reason if it cannot, else an empty
  // text.
  [[nodiscard]] virtual std::string grant(Wish::Kind wish, const View& view) = 0;
};

// The story to request for the peer that is opened, or the task that is followed, in a view.
[[nodiscard]] scenarios::live::Story story_of(const View& view);

}  // namespace rhizome::tools
