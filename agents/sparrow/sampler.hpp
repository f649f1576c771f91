// Early binding: asks some peers for their load, and chooses the executors of tasks among them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "agents/sparrow/messages.hpp"
#include "agents/sparrow/walks.hpp"
#include "core/peer/env.hpp"
#include "core/peer/flat.hpp"
#include "overlay/failure_detector.hpp"

namespace rhizome::agents::sparrow {

class Sampler {
 public:
  // Where each task is to go; tasks without a peer are to be searched a place for again.
  struct Chosen {
    TaskId task;
    PeerId peer = core::no_peer;
    std::uint32_t life = 0;  // in which it answered
  };
  using Choice = std::vector<Chosen>;

  Sampler(const Walks& walks, const overlay::FailureDetector& detector)
      : walks_(walks), detector_(detector) {}

  // Answers that come later than that are none.
  void ask(Env& env, const std::vector<Task>& tasks, const std::vector<PeerId>& peers,
           core::Duration wait);
  // The choice of a sample that is complete, or whose time is up; otherwise nothing.
  [[nodiscard]] Choice heard(Env& env, PeerId from, const Load& message);
  [[nodiscard]] Choice timed_out(Env& env, const SampleDue& due);
  void stop(Env& env) const;

 private:
  struct Answer {
    double utility;
    PeerId peer;
    std::uint32_t life;
    Resources size;
  };
  struct Sample {
    std::vector<Task> tasks;
    std::size_t asked = 0;
    core::FlatSet<std::pair<PeerId, std::uint64_t>> heard{};  // answers, each by its peer and walk
    std::vector<Answer> answers{};
    core::TimerId due{};
  };
  [[nodiscard]] Choice choose(Env& env, std::uint32_t sampling);

  const Walks& walks_;
  const overlay::FailureDetector& detector_;
  std::map<std::uint32_t, Sample> samples_;
  std::uint32_t next_ = 0;
};

}  // namespace rhizome::agents::sparrow
