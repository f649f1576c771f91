#include "agents/program/conversation.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <variant>

#include "agents/program/logs.hpp"

namespace rhizome::agents::program {

template <class F>
std::vector<Said> Conversation::explain(F&& converse) {
  const std::scoped_lock lock(dialogue_->turn());
  heard_ = 0;
  try {
    std::vector<Said> said;
    converse(said);
    return said;
  } catch (const core::HungUp&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw std::runtime_error("the program of peer " + std::to_string(self_.value) + ", line " +
                             std::to_string(dialogue_->lines()) + ": " + error.what());
  }
}

std::shared_ptr<core::Dialogue> Conversation::program() {
  const std::uint32_t number = self_.value / options_.peers_per_process;
  const std::uint32_t first = number * options_.peers_per_process;
  const std::uint32_t last =
      std::min(world_.peers() - first, options_.peers_per_process) + first - 1;
  return programs_->of(number, log_name(world_.seed, {first}, {last}));
}

std::vector<Said> Conversation::begin(const Beginning& beginning) {
  return programs_->start([&] {
    dialogue_ = program();
    return greet(beginning);
  });
}

std::vector<Said> Conversation::greet(const Beginning& beginning) {
  return explain([&](std::vector<Said>& said) {
    dialogue_->send(init_line(beginning), options_.answer_within);
    lock_step_ = await_ready(said).lock_step;
    if (lock_step_)
      await_idle(said);
    else if (options_.quiet_for <= core::Duration::zero())
      throw WireError(
          "it does not say \"idle\" when it has answered (\"rhizome\": 1 in \"init_ok\" promises "
          "so): set quiet_for to how long it may be silent before it says more");
    else
      await_silence(said);
  });
}

std::vector<Said> Conversation::tell(core::Time now, std::string_view event) {
  return explain([&](std::vector<Said>& said) {
    std::string lines = lock_step_ ? time_line(self_, now) : std::string();
    lines += event;
    dialogue_->send(lines, options_.answer_within);
    if (lock_step_)
      await_idle(said);
    else
      await_silence(said);
  });
}

Ready Conversation::await_ready(std::vector<Said>& said) {
  for (;;) {
    Said each = next();
    if (const auto* ready = std::get_if<Ready>(&each)) return *ready;
    keep(said, std::move(each));
  }
}

void Conversation::await_idle(std::vector<Said>& said) {
  for (;;) {
    Said each = next();
    if (std::holds_alternative<Idle>(each)) {
      if (dialogue_->has_more())
        throw WireError("it says more after \"idle\", which belongs to no event");
      said.push_back(std::move(each));
      return;
    }
    keep(said, std::move(each));
  }
}

// A program that never says "idle" has said all once it has been silent for a while.
void Conversation::await_silence(std::vector<Said>& said) {
  while (const auto line = dialogue_->line(options_.quiet_for)) keep(said, read(*line));
}

void Conversation::keep(std::vector<Said>& said, Said next) const {
  constexpr std::size_t most = 100'000;
  if (said.size() == most) throw WireError("it says more than 100,000 lines about one event");
  said.push_back(std::move(next));
}

// All effects of an event are kept until the last one is there.
Said Conversation::read(std::string_view line) {
  constexpr std::size_t most = std::size_t{64} << 20U;
  heard_ += line.size();
  if (heard_ > most) throw WireError("it says more than 64 MiB about one event");
  return read_line(line, self_, world_.peers());
}

Said Conversation::next() {
  const auto line = dialogue_->line(options_.answer_within);
  if (!line)
    throw WireError("it has said nothing for " +
                    std::to_string(core::seconds(options_.answer_within)).substr(0, 5) +
                    " s where \"init_ok\" or \"idle\" was to come");
  return read(*line);
}

}  // namespace rhizome::agents::program
