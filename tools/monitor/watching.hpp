// Watching: somebody looks at a run in a terminal, turns to what he wants to see, and leaves.
#pragma once

#include <cstdint>
#include <optional>
#include <thread>

#include "tools/monitor/attachment.hpp"
#include "tools/monitor/screens.hpp"
#include "tools/monitor/terminal.hpp"

namespace rhizome::tools {

// As many as come between two frames of a busy run.
inline constexpr std::uint32_t facts_at_a_time = 4096;

// What a key makes of a view: nothing where it asks to leave. Of a list that is as long as a page,
// and of a run that is known.
[[nodiscard]] std::optional<View> after_key(View view, const Key& key,
                                            const scenarios::live::State& state, Size size);

// Until somebody leaves; the last of a run stays to be seen until then.
void watch(Attachment& attachment, Terminal& terminal);

// Watches from a thread of its own while this one does the runs.
class Watcher {
 public:
  // Returns once no run can begin and end unseen. Throws NoTerminal or core::ExchangeFailed.
  Watcher(const Registry& registry, const RegisteredRun& run)
      : attachment_(registry, run, {}, facts_at_a_time) {
    attachment_.meet();
    thread_ = std::thread([this] { watch(attachment_, terminal_); });
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
