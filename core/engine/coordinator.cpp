#include "core/engine/coordinator.hpp"

#include <algorithm>
#include <variant>

#include "core/engine/control.hpp"

namespace rhizome::core {

// Whether the rule holds for all shares that are not lost.
template <class Rule>
bool Coordinator::all(Rule rule) const {
  return std::all_of(members_.begin(), members_.end(),
                     [&rule](const Member& member) { return member.lost || rule(member); });
}

// A lost share's former messages do not count any more.
void Coordinator::lose(std::uint32_t share) {
  members_[share] = {};
  members_[share].lost = true;
}

void Coordinator::hear(std::uint32_t share, const control::Message& message) {
  if (share >= members_.size())
    throw ShareFailed("share " + std::to_string(share) + " is not of the run");
  std::visit([&](const auto& said) { on(share, said); }, message);
}

void Coordinator::on(std::uint32_t share, const control::Built& built) {
  members_[share].built = true;
  fail(share, built.failure);
}

void Coordinator::on(std::uint32_t share, const control::Told& told) {
  keep(members_[share], told.number, told.tally);
}

void Coordinator::on(std::uint32_t share, const control::Answer& answer) {
  keep(members_[share], answer.number, answer.tally);
  if (answer.question == question_) members_[share].answer = answer.tally;
}

// Keeps the tally with the highest number, which may not be the last that arrived.
void Coordinator::keep(Member& member, std::uint64_t number, const Tally& tally) {
  if (number < member.number) return;
  member.number = number;
  member.told = tally;
}

void Coordinator::on(std::uint32_t share, const control::Halt& halt) {
  halted_ = true;
  fail(share, halt.failure);
}

// The first failure is told; others often follow from it.
void Coordinator::fail(std::uint32_t share, const std::string& why) {
  if (!why.empty() && failure_.empty())
    failure_ = "share " + std::to_string(share) + " has failed: " + why;
}

std::optional<control::Message> Coordinator::look(Time now) {
  if (ended_) return {};
  if (const auto how = ending(now)) {
    ended_ = true;
    return control::Ended{{*how, now, failure_}};
  }
  const bool denied = asking_ && have_answered();
  if (denied) forget_answers();
  if (!asking_ && seem_finished()) {
    ask();
    return control::Question{question_};
  }
  if (denied) return control::GoOn{question_};
  return {};
}

void Coordinator::ask() {
  asking_ = true;
  ++question_;
  for (Member& member : members_)
    if (!member.lost) member.asked = *member.told;
}

std::optional<Ending> Coordinator::ending(Time now) const {
  if (failed()) return Ending::interrupted;
  if (asking_ && have_answered() && confirm()) return Ending::finished;
  if (halted_) return Ending::interrupted;
  return ended_by_time(setup_, now, first_finish());
}

bool Coordinator::seem_finished() const {
  const auto finished = [](const Member& m) { return m.told && m.told->all_finished(); };
  const auto somebody = [](const Member& m) { return m.told && m.told->finished > 0; };
  return all(finished) && std::any_of(members_.begin(), members_.end(), somebody);
}

bool Coordinator::have_answered() const {
  return all([](const Member& m) { return m.answer.has_value(); });
}

// All had told that they had finished when they were asked.
bool Coordinator::confirm() const {
  const auto as_before = [](const Member& m) {
    return m.answer->all_finished() && m.answer->wakings == m.asked.wakings;
  };
  const auto somebody = [](const Member& m) { return m.answer && m.answer->finished > 0; };
  return all(as_before) && std::any_of(members_.begin(), members_.end(), somebody);
}

void Coordinator::forget_answers() {
  asking_ = false;
  for (Member& member : members_) member.answer.reset();
}

std::optional<Time> Coordinator::first_finish() const {
  std::optional<Time> first;
  for (const Member& member : members_) {
    const auto told = member.told ? member.told->first_finish : std::nullopt;
    if (told && (!first || *told < *first)) first = told;
  }
  return first;
}

bool Coordinator::all_are_built() const {
  return all([](const Member& m) { return m.built; });
}

std::string Coordinator::missing() const {
  std::string names;
  for (std::size_t share = 0; share < members_.size(); ++share)
    if (!members_[share].built)
      names += (names.empty() ? "share " : ", share ") + std::to_string(share);
  return names;
}

}  // namespace rhizome::core
