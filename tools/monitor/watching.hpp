// Watching: shows a run in a terminal and follows the keys of the user until the user leaves.
#pragma once

#include <cstdint>
#include <thread>

#include "tools/monitor/attachment.hpp"
#include "tools/monitor/live_source.hpp"
#include "tools/monitor/source.hpp"
#include "tools/monitor/terminal.hpp"

namespace rhizome::tools {

// About as many facts as occur between two frames of a busy run.
inline constexpr std::uint32_t facts_at_a_time = 4096;

// Returns when the user leaves. The last state of a run stays visible until then.
void watch(Source& source, Terminal& terminal);

// Watches from its own thread, while the calling thread does the runs.
class Watcher {
 public:
  // Returns once the run knows the monitor, so that no run can begin and end unseen. Throws
  // NoTerminal or core::ExchangeFailed.
  Watcher(const Registry& registry, const RegisteredRun& run)
      : attachment_(registry, run, {}, facts_at_a_time) {
    attachment_.meet();
    thread_ = std::thread([this] {
      LiveSource source(attachment_);
      watch(source, terminal_);
    });
  }
  // Waits until the user leaves.
  ~Watcher() { thread_.join(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  Terminal terminal_;
  Attachment attachment_;
  std::thread thread_;
};

}  // namespace rhizome::tools
