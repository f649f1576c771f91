// Facts about programs of users, and about the services that they keep.
#pragma once

#include <cstdint>
#include <string>

#include "agents/task.hpp"
#include "core/peer/fact.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::program {

using core::operator==;

struct ProgramNoted {
  static constexpr core::FactInfo info{
      "program-noted", "A program of the user's noted a fact of its own.",
      "name: the word that the program chose | fields: what it said of it, as a JSON object"};
  std::string name;
  std::string fields;
};
struct ValueStable {
  static constexpr core::FactInfo info{
      "value-stable",
      "Of a value that a service acknowledged: how long readers could still miss it.",
      "operation: the one that wrote it, from 0 | latency: ns from its acknowledgement until the "
      "last read that began after that and did not return the value; 0 if each returned it"};
  std::uint32_t operation = 0;
  core::Duration latency{0};
};

struct OperationUnanswered {
  static constexpr core::FactInfo info{
      "operation-unanswered",
      "A client had no answer to an operation in time, and does not know whether it was done.",
      "job | portion"};
  TaskId operation;
};

using OwnFacts = core::OneOf<ProgramNoted, ValueStable, OperationUnanswered>;

}  // namespace rhizome::agents::program
