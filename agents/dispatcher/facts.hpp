// Facts about dispatchers alone.
#pragma once

#include <cstdint>

#include "agents/task.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"

namespace rhizome::agents::dispatching {

using core::operator==;

struct ChoiceOutdated {
  static constexpr core::FactInfo info{
      "choice-outdated",
      "A task came to a server after others, of which its dispatcher did not know when it chose "
      "the server for what that had told of itself.",
      "job | portion | dispatcher: which peer had chosen | others: tasks that had come since that "
      "server was last heard of"};
  TaskId task;
  core::PeerId dispatcher;
  std::uint32_t others = 0;
};

using OwnFacts = core::OneOf<ChoiceOutdated>;

}  // namespace rhizome::agents::dispatching
