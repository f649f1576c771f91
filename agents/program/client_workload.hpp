// What clients ask of peers that keep a service together, and what of the answers is right: the
// workloads of Maelstrom's documentation (doc/workloads.md there), checked as it says, and one for
// overlays.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/peer/ids.hpp"
#include "core/peer/interface.hpp"
#include "core/peer/rng.hpp"
#include "core/peer/time.hpp"

namespace rhizome::agents::program {

enum class Clients : std::uint8_t { echo, unique_ids, broadcast, g_counter, lin_kv, peer_sampling };

// Times of the client at the source.
struct Span {
  core::Time asked{};
  core::Time answered{};
};

// An operation has a number, from 0. Bodies are JSON; those of requests lack "msg_id".
class ClientWorkload : public core::Interface {
 public:
  // The question that each peer is asked before anything else; empty: none.
  [[nodiscard]] virtual std::string first_question() const { return {}; }
  [[nodiscard]] virtual std::string question(std::uint32_t number, core::Rng& rng) = 0;
  // Takes an answer that is no error: returns why it is wrong, as a sentence; empty: it may be
  // right.
  [[nodiscard]] virtual std::string answer(std::uint32_t number, const Span& span,
                                           std::string_view body) = 0;
  // The operation had no effect, for the reason that the code of the error says.
  virtual void failed(std::uint32_t number, const Span&, int /*code*/) { forget(number); }
  // The operation may have taken effect, or may do so.
  virtual void unknown(std::uint32_t number, core::Time asked) = 0;
  // What each peer is asked once clients have been quiet for a while; empty: nothing.
  [[nodiscard]] virtual std::string last_question() const { return {}; }
  [[nodiscard]] virtual std::string last_answer(core::PeerId, const Span&, std::string_view) {
    return {};
  }
  // For each acknowledged value, by the operation that wrote it: how long after its acknowledgement
  // a read could still begin that did not return it. Jepsen's checker of sets calls this stable
  // latency. Empty for workloads without such values.
  [[nodiscard]] virtual std::map<std::uint32_t, core::Duration> stable_latencies() const {
    return {};
  }
  // Why all answers together are wrong, as a sentence; empty: they are right.
  [[nodiscard]] virtual std::string verdict() const { return {}; }

 private:
  virtual void forget(std::uint32_t number) = 0;
};

[[nodiscard]] std::unique_ptr<ClientWorkload> workload_of(Clients clients, std::uint32_t peers);

// What an answer is: fit for ClientWorkload::answer, or an error, and whether nothing can have
// happened.
struct AnswerReading {
  std::uint32_t in_reply_to = 0;
  bool error = false;
  bool definite = false;
  int code = 0;
};
// Throws WireError where the body answers nothing.
[[nodiscard]] AnswerReading read_answer(std::string_view body);
[[nodiscard]] std::string with_number(std::string_view question, std::uint32_t msg_id);

}  // namespace rhizome::agents::program
