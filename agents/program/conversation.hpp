// One peer's conversation with its program, in lock-step: it sends the program an event, and
// receives all effects of it before the next event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "agents/program/options.hpp"
#include "agents/program/voice.hpp"
#include "agents/program/wire.hpp"
#include "agents/scheduler.hpp"
#include "core/child/dialogue.hpp"

namespace rhizome::agents::program {

// Any error of a conversation but core::HungUp names the line, too.
class Conversation final : public Voice {
 public:
  Conversation(std::shared_ptr<core::Dialogues> programs, const Options& options, core::PeerId self,
               const World& world)
      : programs_(std::move(programs)), options_(options), self_(self), world_(world) {}

  std::vector<Said> begin(const Beginning& beginning) override;
  // Tells it the time as well if it works in lock-step.
  std::vector<Said> tell(core::Time now, std::string_view event) override;
  core::Duration pause() const override {
    return lock_step_ ? core::Duration::zero() : options_.quiet_for;
  }

 private:
  template <class F>
  std::vector<Said> explain(F&& converse);
  // The program that the peer has, maybe with others.
  [[nodiscard]] std::shared_ptr<core::Dialogue> program();
  [[nodiscard]] std::vector<Said> greet(const Beginning& beginning);
  [[nodiscard]] Ready await_ready(std::vector<Said>& said);
  void await_idle(std::vector<Said>& said);
  void await_silence(std::vector<Said>& said);
  void keep(std::vector<Said>& said, Said next) const;
  [[nodiscard]] Said read(std::string_view line);
  [[nodiscard]] Said next();

  std::shared_ptr<core::Dialogues> programs_;
  std::shared_ptr<core::Dialogue> dialogue_{};  // once it has begun
  const Options& options_;
  core::PeerId self_;
  const World& world_;
  bool lock_step_ = false;
  std::size_t heard_ = 0;  // bytes about the event
};

}  // namespace rhizome::agents::program
