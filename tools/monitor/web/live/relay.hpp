// A relay: tells a page what the run tells, for as long as somebody looks. Each has an attachment
// of its own, so that the run knows what a page has seen, and a slow one gets fewer frames.
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
  // Of that run, or of whichever began last. Throws core::ExchangeFailed.
  // `views`: with those of overlays.
  Relay(const RunFollower& follower, std::optional<std::uint32_t> number, bool views = false);

  // The pieces that are new within that time: maybe none, and nothing once there are no more.
  [[nodiscard]] std::optional<std::string> next(std::chrono::milliseconds most);
  // All that was noted of a task comes with the pieces, some time later. From any thread.
  void want(agents::TaskId task);

 private:
  [[nodiscard]] std::string take(Attachment::News news);
  void ask_for_story();

  const RunFollower& follower_;
  std::optional<Attachment> attachment_;  // while the run goes on
  std::string first_;
  bool ended_ = false;
  std::mutex mutex_;  // of the next
  std::optional<agents::TaskId> wanted_;
};

}  // namespace rhizome::tools
