// One peer's conversation with its program, in lock-step: it sends the program an event, and
// receives all effects of it before the next event.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "agents/program/options.hpp"
#include "agents/program/wire.hpp"
#include "core/child/dialogue.hpp"

namespace rhizome::agents::program {

// Any error of a conversation is a std::runtime_error whose text names the peer and the line.
class Conversation {
 public:
  Conversation(std::shared_ptr<core::Dialogue> dialogue, const Options& options, core::PeerId self,
               std::uint32_t peers)
      : dialogue_(std::move(dialogue)), options_(options), self_(self), peers_(peers) {}

  // Tells the program which peer it is, and waits until it is ready.
  std::vector<Said> begin(const Beginning& beginning);
  // Sends the program an event, as a whole line, and the time if it works in lock-step. Without an
  // event it receives the program's own messages.
  std::vector<Said> tell(core::Time now, std::string_view event);
  // Whether the program tells when its answer is complete, as far as is known: after its beginning.
  [[nodiscard]] bool lock_step() const { return lock_step_; }

 private:
  template <class F>
  std::vector<Said> explain(F&& converse);
  [[nodiscard]] Ready await_ready(std::vector<Said>& said);
  void await_idle(std::vector<Said>& said);
  void await_silence(std::vector<Said>& said);
  void keep(std::vector<Said>& said, Said next) const;
  [[nodiscard]] Said next();

  std::shared_ptr<core::Dialogue> dialogue_;
  const Options& options_;
  core::PeerId self_;
  std::uint32_t peers_;
  bool lock_step_ = false;
};

}  // namespace rhizome::agents::program
