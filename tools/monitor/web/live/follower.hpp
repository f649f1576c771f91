// A follower: a server's own knowledge of a run, for figures and for pages that connect when the
// run is over. It belongs to one thread, and others ask it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tools/monitor/attachment.hpp"
#include "tools/monitor/registry.hpp"
#include "tools/monitor/web/metrics_text.hpp"

namespace rhizome::tools {

class RunFollower {
 public:
  // Throws core::ExchangeFailed.
  RunFollower(const Registry& registry, const RegisteredRun& run,
              std::optional<std::uint32_t> number);

  // Follows the run, and answers other threads, until the flag is set.
  void follow(const std::atomic<bool>& stop);

  // Nothing if the follower does not answer. May be called from any thread.
  [[nodiscard]] std::optional<std::string> metrics(std::size_t clients);
  // After the end of all runs: everything that a page must be told.
  [[nodiscard]] std::optional<std::string> last_words() const;

  // Pages may ask these, too.
  [[nodiscard]] const Registry& registry() const { return registry_; }
  [[nodiscard]] const RegisteredRun& run() const { return run_; }
  [[nodiscard]] std::optional<std::uint32_t> number() const { return number_; }

 private:
  void take(Attachment::News news);
  void end(const std::string& why);
  void answer_others();

  const Registry registry_;
  const RegisteredRun run_;
  const std::optional<std::uint32_t> number_;
  Attachment attachment_;
  MoveCounts moves_;
  bool ended_ = false;
  mutable std::mutex mutex_;  // guards all below
  std::vector<std::packaged_task<std::string()>> asked_;
  std::optional<std::string> last_words_;
};

// The last piece of those that a page is told: "over", with the directory of the run, or "gone".
[[nodiscard]] std::string end_piece(const std::string& how, const std::string& directory);

}  // namespace rhizome::tools
