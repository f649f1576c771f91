// The messages between a monitor and a run. The monitor asks, and the run answers when there is
// something new: a slow monitor asks less often, and no answers pile up.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agents/task.hpp"
#include "core/engine/foreseen.hpp"
#include "core/history/ending.hpp"
#include "core/peer/codec.hpp"
#include "core/peer/message.hpp"
#include "scenarios/live/frame.hpp"
#include "scenarios/live/steering.hpp"
#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios::live {

inline constexpr std::uint32_t protocol_version = 4;

// The first message of a monitor.
struct Hello {
  std::uint32_t version = protocol_version;
};
// The answer describes the process that the monitor has reached.
struct Welcome {
  std::uint32_t version = protocol_version;
  std::uint64_t process = 0;
  std::string scenario{};
  std::uint64_t runs = 0;                 // of the experiment, all in all
  std::vector<std::string> fact_kinds{};  // by number
  bool control = false;                   // whether its runs may be steered
  friend bool operator==(const Welcome&, const Welcome&) = default;
};
// What has changed? Answered by a frame, as soon as there is a newer one.
struct Ask {
  std::optional<std::uint32_t> run{};  // none: the one that began last
  std::uint32_t known_run = 0;         // the run of the frame `since`
  std::uint64_t since = 0;             // the frame that the monitor has; 0: none
  std::uint64_t next_fact = 0;         // 0: the last that are kept
  std::uint32_t most_facts = 0;        // most facts to come with a frame
  bool past = false;                   // whether totals of the past are
  bool views = false;                  // whether the views of overlays are, from now on
  std::uint64_t views_since = 0;       // the monitor's frame with views; 0: none
};
// What was decided beforehand about a run? Answered at once by its plan, or by a refusal.
struct Survey {
  std::uint32_t run = 0;
};
struct Plan {
  std::uint32_t run = 0;
  core::Foreseen foreseen{};
  friend bool operator==(const Plan&, const Plan&) = default;
};
// Asks for all facts about one task, or of one peer. Answered by facts, once all logs of the run
// have been searched.
struct Story {
  std::uint32_t run = 0;
  std::uint32_t number = 0;  // the monitor's own, for the answers; a new story ends the one before
  std::optional<agents::TaskId> task{};
  std::optional<core::PeerId> peer{};  // if there is no task
};
struct FoundFacts {
  std::uint32_t number = 0;  // of the story
  bool whole = false;        // all has been searched that there was
  std::uint64_t searched = 0;
  std::vector<LiveFact> facts{};  // ascending by time; of a peer, its last ones
  friend bool operator==(const FoundFacts&, const FoundFacts&) = default;
};
// Asks which runs there are; answered with running ones, and ended ones from that place on.
struct RunsRequest {
  std::uint32_t known_ends = 0;
};
// A run under way, in brief, as of a second ago.
struct RunBrief {
  RunTitle run{};
  core::Time now{};
  std::uint64_t completed = 0;  // tasks
  friend bool operator==(const RunBrief&, const RunBrief&) = default;
};
// How a run ended.
struct RunEnd {
  std::uint32_t run = 0;
  std::string label{};
  std::uint32_t repetition = 0;  // from 0
  core::Ending ending = core::Ending::finished;
  core::Time ended{};
  bool judged = false;  // a run on threads, whose verdict follows
  Validity::Level validity = Validity::Level::valid;
  std::string reason{};                   // of the verdict, or of a run given up; empty: none
  std::vector<std::string> violations{};  // invariants that were broken, a sentence each
  friend bool operator==(const RunEnd&, const RunEnd&) = default;
};
struct RunsAnswer {
  std::vector<RunBrief> under_way{};
  std::uint32_t first_end = 0;  // the place of the first of these among all that have ended
  std::vector<RunEnd> ends{};   // in the order in which they were judged
  friend bool operator==(const RunsAnswer&, const RunsAnswer&) = default;
};
// No frame will be.
struct Refused {
  std::string reason;
  friend bool operator==(const Refused&, const Refused&) = default;
};
// The experiment has ended, and nothing is answered any more.
struct Over {
  std::string directory;       // of the run; empty: it was not stored
  std::vector<RunEnd> ends{};  // of the last runs
  friend bool operator==(const Over&, const Over&) = default;
};

using Request = core::OneOf<Hello, Ask, Steer, Survey, Story, RunsRequest>;
using Answer = core::OneOf<Welcome, Frame, Refused, Over, Done, Plan, FoundFacts, RunsAnswer>;

// The largest request that is read.
inline constexpr core::CodecLimits request_limits{.bytes = 4096, .elements = 1024, .depth = 4};
// 100,000 peers with all their values and forty links each are 6 million elements.
inline constexpr core::CodecLimits answer_limits{
    .bytes = std::size_t{64} << 20U, .elements = std::size_t{1} << 23U, .depth = 8};

// The most that is read of facts in a frame, of kinds of facts, and of runs, processes and moments
// in a list: many times what a run tells at once.
inline constexpr std::size_t most_facts_in_frame = std::size_t{1} << 16U;
inline constexpr std::size_t most_fact_kinds = 1000;
inline constexpr std::size_t most_listed = 20'000;

[[nodiscard]] core::Bytes encode(const Request& request);
[[nodiscard]] core::Bytes encode(const Answer& answer);
// Nothing if it cannot be read. Texts are made plain (plain_text.hpp).
[[nodiscard]] std::optional<Request> decode_request(std::span<const std::byte> bytes);
[[nodiscard]] std::optional<Answer> decode_answer(std::span<const std::byte> bytes);

}  // namespace rhizome::scenarios::live
