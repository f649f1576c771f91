#include "scenarios/live/messages.hpp"

#include <algorithm>
#include <variant>

#include "core/peer/tagged.hpp"
#include "scenarios/text/plain_text.hpp"

namespace rhizome::scenarios::live {

namespace {

void make_plain(std::string& text) { text = plain_text(text); }

void make_plain(Welcome& welcome) {
  make_plain(welcome.scenario);
  for (std::string& kind : welcome.fact_kinds) make_plain(kind);
}
void make_plain(RunTitle& run) {
  for (std::string* text : {&run.scenario, &run.scheduler, &run.label, &run.engine, &run.cell})
    make_plain(*text);
}
void make_plain(RunEnd& end) {
  make_plain(end.label);
  make_plain(end.reason);
  for (std::string& violation : end.violations) make_plain(violation);
}
void make_plain(Frame& frame) {
  make_plain(frame.run);
  for (ProcessSeen& process : frame.cost.processes) make_plain(process.host);
}
void make_plain(Refused& refused) { make_plain(refused.reason); }
void make_plain(Done& done) { make_plain(done.what); }
void make_plain(Over& over) {
  make_plain(over.directory);
  for (RunEnd& end : over.ends) make_plain(end);
}
void make_plain(RunsAnswer& answer) {
  for (RunBrief& run : answer.under_way) make_plain(run.run);
  for (RunEnd& end : answer.ends) make_plain(end);
}
void make_plain(Plan&) {}
void make_plain(FoundFacts&) {}  // whose texts are made plain where they are read

}  // namespace

core::Bytes encode(const Request& request) { return core::encode_tagged(request); }

core::Bytes encode(const Answer& answer) { return core::encode_tagged(answer); }

std::optional<Request> decode_request(std::span<const std::byte> bytes) {
  return core::decode_tagged<Request>(bytes, request_limits);
}

namespace {

bool is_short(const std::vector<RunEnd>& ends) {
  return ends.size() <= most_listed &&
         std::ranges::all_of(ends, [](const RunEnd& end) { return end.violations.size() <= 1000; });
}

// Whether no list is longer than any run's. Rows and views grow with the peers.
bool is_short(const Frame& frame) {
  return frame.facts.facts.size() <= most_facts_in_frame &&
         std::max({frame.under_way.size(), frame.cost.processes.size(),
                   frame.extras.past.size()}) <= most_listed;
}
bool is_short(const Welcome& welcome) { return welcome.fact_kinds.size() <= most_fact_kinds; }
bool is_short(const RunsAnswer& answer) {
  return answer.under_way.size() <= most_listed && is_short(answer.ends);
}
bool is_short(const Over& over) { return is_short(over.ends); }
template <class Other>
bool is_short(const Other&) {
  return true;
}

}  // namespace

std::optional<Answer> decode_answer(std::span<const std::byte> bytes) {
  auto answer = core::decode_tagged<Answer>(bytes, answer_limits);
  if (answer && !std::visit([](const auto& said) { return is_short(said); }, *answer)) return {};
  if (answer) std::visit([](auto& said) { make_plain(said); }, *answer);
  return answer;
}

}  // namespace rhizome::scenarios::live
