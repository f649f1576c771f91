// A source: where what is watched comes from, a run under way or a recording of one.
#pragma once

#include <chrono>
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

  // Waits for news, so long at most; true where there is something else to be shown.
  [[nodiscard]] virtual bool wait(std::chrono::milliseconds most) = 0;
  [[nodiscard]] virtual const scenarios::live::Knowledge& known() const = 0;
  // That is to be shown, of the present or of the past.
  [[nodiscard]] virtual const scenarios::live::State& state() const = 0;
  // From now on the views of overlays are to be known, too, or no longer. What is seen again has
  // what it has.
  virtual void want_views(bool) {}
  // In a few words.
  [[nodiscard]] virtual std::string standing() const = 0;
  // Does as somebody wishes who looks at that view; where it cannot, says why in a few words.
  [[nodiscard]] virtual std::string grant(Wish::Kind wish, const View& view) = 0;
};

// What is to be asked for about what is opened or followed in a view.
[[nodiscard]] scenarios::live::Story story_of(const View& view);

}  // namespace rhizome::tools
