// Inputs: events that come to a peer from outside at a time, such as a job that a client hands in
// or a command of an operator. An input is a plain struct that travels like a message, with a
// static declaration
//   static constexpr InputInfo info{"job-arrives", "A client hands in a job."};
#pragma once

#include <optional>
#include <string_view>

#include "core/peer/codec.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/time.hpp"

namespace rhizome::core {

// The static declaration of an input type. Its address tells it from all others of the process.
struct InputInfo {
  std::string_view name;     // of the input: "job-arrives"
  std::string_view meaning;  // the same in a sentence
};

struct Input {
  Time at{};
  PeerId peer;  // drops the input if it is down by then; before its first life the input waits
  const InputInfo* info = nullptr;
  Bytes payload{};
};

template <class I>
[[nodiscard]] Input make_input(Time at, PeerId peer, const I& said) {
  Input input{.at = at, .peer = peer, .info = &I::info};
  encode(said, input.payload);
  return input;
}

// Gives the inputs of a run, which may be more than fit into memory.
class InputSource : public Interface {
 public:
  // The next input. Called from one thread, a little ahead of the input's time; it is `now` then.
  // Inputs come in the order of their times; nothing once there are no more.
  [[nodiscard]] virtual std::optional<Input> next(Time now) = 0;
  // Whether more may come although there is no next one now: ask again.
  [[nodiscard]] virtual bool awaits() const { return false; }
};

}  // namespace rhizome::core
