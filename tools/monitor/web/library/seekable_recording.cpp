#include "tools/monitor/web/library/seekable_recording.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "agents/facts.hpp"
#include "scenarios/live/fact_kinds.hpp"
#include "scenarios/live/state.hpp"
#include "tools/monitor/recorded_story.hpp"
#include "tools/monitor/web/pieces.hpp"
#include "tools/monitor/web/process.hpp"

namespace rhizome::tools {

namespace live = scenarios::live;
using scenarios::Json;

namespace {

constexpr std::size_t most_moments = 3000;
constexpr std::size_t most_marks = 2000;

Json moment_of(double at, const live::Totals& totals) {
  std::uint64_t seen = 0;
  std::uint64_t late = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(core::Vitals::Measure::handler); ++i) {
    seen += totals.lateness[i].seen;
    late += totals.lateness[i].late;
  }
  return Json::array({at, totals.sent[0], totals.sent[1], totals.sent[2], totals.tasks.submitted,
                      totals.tasks.started, totals.tasks.completed, seen, late});
}

void halve(Json& list) {
  std::vector<Json>& items = list.items();
  for (std::size_t i = 0; i < items.size() / 2; ++i) items[i] = std::move(items[2 * i + 1]);
  items.resize(items.size() / 2);
}

}  // namespace

bool RecordingTime::take(const live::Frame& frame) {
  const double at = core::seconds(frame.now.time_since_epoch());
  const bool begins = !run_ || *run_ != frame.run || at < latest_;
  if (begins) {
    offset_ = run_ ? now_ : 0;
    run_ = frame.run;
  }
  latest_ = at;
  now_ = offset_ + at;
  return begins;
}

// Reads a recording once from its beginning to its end.
class SeekableRecording::Reader {
 public:
  explicit Reader(SeekableRecording& recording) : recording_(recording) {}

  void read() {
    live::Recording recording(recording_.file_);
    while (std::optional<live::Recorded> told = recording.next()) take(*told);
    if (recording_.begins_.empty())
      throw live::BadRecording(recording_.file_.string() + ": holds no frame of a run");
    recording_.cut_off_ = recording.is_cut_off();
  }
  [[nodiscard]] Json summary(const std::string& name) {
    if (moments_.empty() || moments_.items().back() != last_) moments_.push_back(last_);
    Json begins = Json::array();
    for (const double each : stretches_) begins.push_back(each);
    const bool burdens = std::any_of(state_.rows().begin(), state_.rows().end(),
                                     [](const live::Row& row) { return live::sent_by(row) > 0; });
    return {{"burdens", burdens}, {"name", name},    {"end", time_.now()},  {"stretches", begins},
            {"runs", runs_},      {"marks", marks_}, {"moments", moments_}, {"engine", engine_}};
  }

 private:
  void take(live::Recorded& told) {
    const auto* frame = std::get_if<live::Frame>(&told.answer);
    if (frame == nullptr) return take_aside(told.answer);
    if (told.whole) begin_stretch(told.place);
    if (told.whole && frame->number == state_.frame().number) return;
    take(*frame);
  }
  void take_aside(live::Answer& answer) {
    live::Knowledge& last = recording_.last_;
    if (auto* welcome = std::get_if<live::Welcome>(&answer)) last.take(std::move(*welcome));
    if (auto* plan = std::get_if<live::Plan>(&answer)) last.take(std::move(*plan));
    if (auto* runs = std::get_if<live::RunsAnswer>(&answer)) last.take(std::move(*runs));
    if (auto* over = std::get_if<live::Over>(&answer)) last.take(*over);
  }
  // The first full frame comes after the very first frame, with which the first stretch begins.
  void begin_stretch(std::uint64_t place) {
    const bool first = recording_.begins_.empty();
    recording_.begins_.push_back(first ? Begin{} : Begin{time_, place});
    stretches_.push_back(first ? 0 : time_.now());
  }
  void take(const live::Frame& frame) {
    if (time_.take(frame)) {
      runs_.push_back({{"at", time_.offset()},
                       {"number", frame.run.number},
                       {"label", frame.run.label},
                       {"repetition", frame.run.repetition + 1}});
      engine_ = frame.run.engine;
      before_.clear();
    }
    if (!state_.apply(frame)) return;
    recording_.moves_.take(state_, frame.facts, recording_.last_.welcome);
    mark_lives();
    mark_failures(frame);
    last_ = moment_of(time_.now(), frame.totals);
    if (++seen_ % stride_ == 0) moments_.push_back(last_);
    if (moments_.size() < most_moments) return;
    halve(moments_);
    stride_ *= 2;
  }
  void mark(const char* kind, double at, core::PeerId peer) {
    if (marks_.size() < most_marks) marks_.push_back(Json::array({at, kind, peer.value}));
  }
  void mark_lives() {
    const std::vector<live::Row>& rows = state_.rows();
    const bool known = before_.size() == rows.size();
    before_.resize(rows.size());
    for (const core::PeerId peer : state_.changed()) {
      const bool lives = live::is_alive(rows[peer.value]);
      if (known && lives != before_[peer.value]) mark(lives ? "up" : "down", time_.now(), peer);
      before_[peer.value] = lives;
    }
  }
  void mark_failures(const live::Frame& frame) {
    for (const live::LiveFact& fact : frame.facts.facts)
      if (fact.kind < recording_.last_.welcome.fact_kinds.size() &&
          recording_.last_.welcome.fact_kinds[fact.kind] == agents::RunFailed::info.name)
        mark("failed", time_.offset() + core::seconds(fact.at.time_since_epoch()), fact.peer);
  }

  SeekableRecording& recording_;
  RecordingTime time_;
  live::State& state_ = recording_.last_.state;
  std::vector<bool> before_;  // by peer: whether it was alive
  std::vector<double> stretches_;
  std::string engine_;
  std::size_t seen_ = 0;
  std::size_t stride_ = 1;  // of moments
  Json runs_ = Json::array();
  Json marks_ = Json::array();
  Json moments_ = Json::array();
  Json last_;
};

SeekableRecording::SeekableRecording(std::filesystem::path file, std::string name)
    : file_(std::move(file)) {
  Reader reader(*this);
  reader.read();
  summary_ = line_of(reader.summary(name));
}

std::string SeekableRecording::stretch(std::size_t i) const {
  live::Recording recording(file_);
  if (i > 0) recording.go_to(begins_[i].place);
  RecordingTime time = begins_[i].time;
  std::string told = preface() + piece(encode(live::Answer{last_.welcome}));
  std::size_t wholes = 0;
  while (std::optional<live::Recorded> each = recording.next()) {
    if (each->whole && ++wholes > 1) break;
    if (std::holds_alternative<live::Plan>(each->answer)) told += piece(encode(each->answer));
    const auto* frame = std::get_if<live::Frame>(&each->answer);
    if (frame == nullptr || (each->whole && i == 0)) continue;
    time.take(*frame);
    told += piece(line_of(Json{{"at", time.now()}, {"offset", time.offset()}}));
    told += piece(encode(each->answer));
  }
  return told;
}

std::string SeekableRecording::story(const live::Story& story) const {
  return piece(encode(live::Answer{recorded_story(file_, story, last_.welcome.fact_kinds)}));
}

std::string SeekableRecording::metrics(std::size_t clients) const {
  return metrics_text(last_.state, {.moves = moves_.by_reason(),
                                    .recorded = true,
                                    .clients = clients,
                                    .processor_seconds = own_processor_seconds(),
                                    .plan = last_.plan_of_run(),
                                    .end = last_.end_of(last_.state.frame().run.number)});
}

}  // namespace rhizome::tools
