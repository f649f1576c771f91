#include "agents/sparrow/sampler.hpp"

#include <algorithm>
#include <tuple>

namespace rhizome::agents::sparrow {

// The walk looks for room for the largest of the tasks, so that every peer that answers can run any
// of them.
void Sampler::ask(Env& env, const std::vector<Task>& tasks, const std::vector<PeerId>& peers,
                  core::Duration wait) {
  const std::uint32_t number = next_++;
  const Task& largest =
      *std::max_element(tasks.begin(), tasks.end(), [](const Task& a, const Task& b) {
        return std::tie(a.cpus, a.named) < std::tie(b.cpus, b.named);
      });
  std::uint64_t walk = 0;
  for (const PeerId peer : peers)
    env.send(peer, Query{number, resources_of(largest), env.self(), walks_.first(walk++)});
  samples_[number] = {tasks, peers.size(), {}, {}, env.after(wait, SampleDue{number})};
}

// A peer that two walks reached may be chosen once. A duplicate of an answer does not count as the
// answer of another walk.
Sampler::Choice Sampler::heard(Env& env, PeerId from, const Load& message) {
  const auto found = samples_.find(message.sampling);
  if (found == samples_.end()) return {};
  Sample& sample = found->second;
  if (!sample.heard.insert({from, message.walk}).second) return {};
  const bool known = std::any_of(sample.answers.begin(), sample.answers.end(),
                                 [from](const Answer& answer) { return answer.peer == from; });
  if (!known) sample.answers.push_back({message.utility, from, message.life, message.size});
  if (sample.heard.size() < sample.asked) return {};
  return choose(env, message.sampling);
}

Sampler::Choice Sampler::timed_out(Env& env, const SampleDue& due) {
  return samples_.contains(due.sampling) ? choose(env, due.sampling) : Choice{};
}

// The best of the sample for the first task, the next best for the next, and again from the best
// where there are fewer. Peers that have died since they answered are left out.
Sampler::Choice Sampler::choose(Env& env, std::uint32_t sampling) {
  Sample sample = std::move(samples_.at(sampling));
  samples_.erase(sampling);
  env.cancel(sample.due);
  std::erase_if(sample.answers, [this](const Answer& a) { return detector_.thinks_dead(a.peer); });
  std::stable_sort(sample.answers.begin(), sample.answers.end(),
                   [](const Answer& a, const Answer& b) { return a.utility > b.utility; });
  Choice choice;
  std::size_t next = 0;
  for (const Task& task : sample.tasks) {
    Chosen chosen{task.id};
    for (std::size_t i = 0; i < sample.answers.size() && chosen.peer == core::no_peer; ++i) {
      const Answer& answer = sample.answers[(next + i) % sample.answers.size()];
      if (!resources_of(task).within(answer.size)) continue;
      chosen.peer = answer.peer;
      chosen.life = answer.life;
      next += i + 1;
    }
    choice.push_back(chosen);
  }
  return choice;
}

void Sampler::stop(Env& env) const {
  for (const auto& [number, sample] : samples_) env.cancel(sample.due);
}

}  // namespace rhizome::agents::sparrow
