// A relay: passes on to one page what the run sends, while the page is open. Each relay has its own
// attachment, so that the run knows what the page has seen, and sends a slow page fewer frames.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "agents/task.hpp"
#include "tools/monitor/attachment.hpp"
#include "tools/monitor/web/live/follower.hpp"

namespace rhizome::tools {

class Relay {
 public:
  // Follows the run of that number, or the newest run. `views`: include the views of overlays.
  // Throws core::ExchangeFailed.
  Relay(const RunFollower& follower, std::optional<std::uint32_t> number, bool views = false);

  // Waits for new pieces, at most that long; an empty text if there are none, and none after the
  // end.
  [[nodiscard]] std::optional<std::string> next(std::chrono::milliseconds most);
  // Requests all facts about a task, which come with the pieces some time later. May be called from
  // any thread.
  void want(agents::TaskId task);
  // The run whose frames were passed on last; none before the first. May be called from any thread.
  [[nodiscard]] std::optional<scenarios::live::RunTitle> title();

 private:
  [[nodiscard]] std::string take(Attachment::News news);
  void ask_for_story();
  void keep_title();

  const RunFollower& follower_;
  std::optional<Attachment> attachment_;  // while the run goes on
  std::string first_;
  bool ended_ = false;
  std::mutex mutex_;  // guards the next two
  std::optional<agents::TaskId> wanted_;
  std::optional<scenarios::live::RunTitle> title_;
};

}  // namespace rhizome::tools
