// The wire between Rhizome and a program: one JSON object a line, {"src", "dest", "body"}, as in
// Maelstrom's protocol. Peers are "n0", "n1" and so on, and "env" is Rhizome itself.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "agents/task.hpp"
#include "core/peer/ids.hpp"
#include "core/peer/message.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::program {

// A program sent something impossible; the text tells what.
class WireError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// What a program may say. Times are emulated.

// A message to another peer, or to itself. The tasks that its body names, as "task" or in the list
// "tasks", go along.
struct SendBody {
  core::PeerId to;
  core::MessageClass message_class = core::MessageClass::information;
  std::optional<core::Cause> cause{};
  std::vector<TaskId> tasks{};
  std::string body;  // JSON
};
struct ArmTimer {
  std::string name;
  core::Duration after;
};
struct CancelTimer {
  std::string name;
};
// The execution of a task that has come here.
struct BeginTask {
  std::string id;
  TaskId task;
};
// Work of the program's own, which is no task: so long at a peer of speed 1.
struct BeginOwnWork {
  std::string id;
  core::Duration duration;
};
// Work that the program began under that name is not wanted any more.
struct StopWorkNamed {
  std::string id;
};
// A client's question is answered: of the client of that peer.
struct AnswerClient {
  core::PeerId client;
  std::string body;  // JSON
};
// A client's question is passed on to another peer, which may answer it in its place.
struct RelayQuestion {
  core::PeerId to;
  core::PeerId client;
  std::string body;  // JSON
};
// A question to a store (stores.hpp).
struct RequestStore {
  std::string store;
  std::string body;  // JSON
};
// A fact of the program's own.
struct NoteFact {
  std::string name;
  std::string fields;  // a JSON object
};
struct FinishTask {
  TaskId task;
  std::optional<core::PeerId> executor{};
};
// The program has nothing more to do until the next event, or until that time of the run: then the
// timer "idle" fires, unless another event came before.
struct Idle {
  std::optional<core::Time> until{};
};
// The answer to "init". `lock_step`: it says Idle after each event, and is told the time.
struct Ready {
  bool lock_step = false;
};
using Said =
    std::variant<SendBody, ArmTimer, CancelTimer, BeginTask, BeginOwnWork, StopWorkNamed,
                 FinishTask, AnswerClient, RelayQuestion, RequestStore, NoteFact, Idle, Ready>;

// Reads a line of the program that runs `self`, one of so many peers. Throws WireError.
[[nodiscard]] Said read_line(std::string_view line, core::PeerId self, std::uint32_t peers);

// Messages to a program, as whole lines.

struct Beginning {
  core::PeerId self;
  std::uint32_t peers = 0;
  core::PeerId source;  // where jobs enter
  std::vector<core::PeerId> neighbours{};
  double speed = 1;
  std::uint32_t slots = 1;
  std::uint64_t seed = 0;  // of this peer's random numbers
  std::uint32_t life = 0;  // how often the peer has begun anew
  core::Time now{};
};
[[nodiscard]] std::string init_line(const Beginning& beginning);
[[nodiscard]] std::string time_line(core::PeerId to, core::Time now);
[[nodiscard]] std::string job_line(core::PeerId to, std::uint32_t job, std::span<const Task> tasks);
[[nodiscard]] std::string timer_line(core::PeerId to, std::string_view name);
// `task`: none for work of the program's own.
[[nodiscard]] std::string work_done_line(core::PeerId to, std::string_view id,
                                         std::optional<TaskId> task);
[[nodiscard]] std::string drained_line(core::PeerId to);
[[nodiscard]] std::string message_line(core::PeerId from, core::PeerId to, std::string_view body);
// Of the client of a peer, and of a store.
[[nodiscard]] std::string client_line(core::PeerId client, core::PeerId to, std::string_view body);
[[nodiscard]] std::string store_line(std::string_view store, core::PeerId to,
                                     std::string_view body);

// Whether a text is one JSON object on one line, as the body of a message is, nested no deeper than
// any that is read.
[[nodiscard]] bool is_body(std::string_view text);

// "n3", as programs call a peer; and the peer that they call so, of so many.
[[nodiscard]] std::string peer_name(core::PeerId peer);
[[nodiscard]] std::optional<core::PeerId> peer_called(std::string_view name, std::uint32_t peers);

// A text of strangers for a sentence: its beginning, at most 200 characters, without control
// characters.
[[nodiscard]] std::string in_quotes(std::string_view text);

}  // namespace rhizome::agents::program
