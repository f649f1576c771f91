// Watching: somebody looks at a run in a terminal, turns to what he wants to see, and leaves.
#pragma once

#include <cstdint>
#include <thread>

#include "tools/monitor/attachment.hpp"
#include "tools/monitor/live_source.hpp"
#include "tools/monitor/source.hpp"
#include "tools/monitor/terminal.hpp"

namespace rhizome::tools {

// As many as come between two frames of a busy run.
inline constexpr std::uint32_t facts_at_a_time = 4096;

// Until somebody leaves; the last of a run stays to be seen until then.
void watch(Source& source, Terminal& terminal);

// Watches from a thread of its own while this one does the runs.
class Watcher {
 public:
  // Returns once no run can begin and end unseen. Throws NoTerminal or core::ExchangeFailed.
  Watcher(const Registry& registry, const RegisteredRun& run)
      : attachment_(registry, run, {}, facts_at_a_time) {
    attachment_.meet();
    thread_ = std::thread([this] {
      LiveSource source(attachment_);
      watch(source, terminal_);
    });
  }
  // Once somebody has left.
  ~Watcher() { thread_.join(); }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  Terminal terminal_;
  Attachment attachment_;
  std::thread thread_;
};

}  // namespace rhizome::tools
