// The feed: shows the runs of an experiment to monitors, several of them, while they go on. A
// thread of its own answers when it is asked and sleeps else; runs do not wait for it, and it keeps
// itself within a budget.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/board.hpp"
#include "core/engine/exchange.hpp"
#include "core/engine/steering.hpp"
#include "scenarios/live/budget.hpp"
#include "scenarios/live/fault_desk.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/past.hpp"
#include "scenarios/live/sampler.hpp"
#include "scenarios/live/search.hpp"

namespace rhizome::scenarios::live {

// What it took to show an experiment.
struct Attention {
  std::uint32_t monitors = 0;  // that were greeted
  std::uint64_t frames = 0;    // that they were sent
  std::chrono::nanoseconds processor{0};
};

class Feed {
 public:
  struct Options {
    std::string endpoint;
    std::string scenario;
    std::uint64_t runs = 0;  // of the experiment
    bool control = false;    // whether its runs are to be steered, which monitors are told
    // Of a core, for all monitors together: more makes frames smoother where there are many peers,
    // and takes more from a run on threads.
    double share = 0.01;
    std::chrono::milliseconds least{100};  // between frames: less is smoother
    // With a monitor that asks nothing and has not gone, since it was stopped: then it loses its
    // place.
    std::chrono::milliseconds patience{10'000};
  };
  static constexpr std::size_t most_monitors = 16;

  // Throws core::ExchangeFailed, or std::system_error where the system allows no more threads.
  explicit Feed(Options options);
  // Tells all monitors that it is over.
  ~Feed();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  // From any thread: the board may be read until unwatch() of that run has returned, by which time
  // it must say how the run ended.
  void watch(const RunTitle& title, const core::Board& board, core::Foreseen foreseen = {});
  void unwatch(std::uint32_t run);
  // Lets monitors steer that run, in virtual time, once it is watched; `held`: it begins when one
  // of them says so. Valid until unwatch().
  [[nodiscard]] core::Pace& pace(std::uint32_t run, bool held);
  // Lets monitors cause faults in that run, once it is watched. There until unwatch().
  void steer(std::uint32_t run, core::Steering& steering);
  // It has been judged: monitors are told.
  void conclude(RunEnd end);
  // Where what comes of the experiment is kept.
  void kept_in(const std::string& directory);
  // Why nobody is answered any more, though it goes on; empty as long as all is well.
  [[nodiscard]] std::string failure();
  // Until now.
  [[nodiscard]] Attention attention();

 private:
  using Clock = std::chrono::steady_clock;
  // Where nothing is new, an answer comes after this long all the same, so that silence is telling.
  static constexpr std::chrono::seconds longest_silence{1};

  struct Run {
    Run(RunTitle run_title, const core::Board& shown, core::Foreseen known)
        : title(std::move(run_title)),
          plan{title.number, std::move(known)},
          board(&shown),
          sampler(shown),
          past(began) {}
    RunTitle title;
    Plan plan;
    const core::Board* board;  // nullptr once it is over
    std::uint64_t before = 0;  // the last frame of others before it began
    Clock::time_point began = Clock::now();
    Clock::time_point ended{};
    bool over = false;                     // and its board gone
    std::uint32_t by_hand = 0;             // faults, once it is over
    FaultCounts faults{};                  // as of the last sample
    std::vector<ProcessSeen> processes{};  // likewise
    RunSampler sampler;
    Past past;
  };
  struct Monitor {
    Clock::time_point asked{};  // for the last time
    std::optional<Ask> ask{};   // that has not been answered
    Ask last{};                 // answered or not
    Clock::time_point knocked{};
    bool gone = false;  // its end of the connection is closed
  };

  struct Searched {
    StorySearch search;
    Clock::time_point told{};  // for the last time
  };

  void serve();
  void serve_until_stopped();
  void take(const core::Request& request);
  void take(const std::string& client, const Hello& hello);
  void take(const std::string& client, const Ask& ask);
  void take(const std::string& client, const Steer& steer);
  // Nothing where the answer is to be awaited.
  [[nodiscard]] std::optional<Answer> answer_to(const std::string& client, const Steer& steer);
  [[nodiscard]] static Answer answer_to(const Steer& steer, core::Pace* pace, const Run& run);
  void tell_of_faults();
  void take(const std::string& client, const Survey& survey);
  void take(const std::string& client, const Story& story);
  void take(const std::string& client, const RollCall& call);
  // The stories that somebody waits for, each a slice further.
  void search(Clock::time_point now);
  void tell(const std::string& client, const StorySearch& search);
  // Until something is to be done without being asked.
  [[nodiscard]] std::chrono::milliseconds idle(Clock::time_point now) const;
  void keep_past(Clock::time_point now);
  void answer_all(Clock::time_point now);
  // False while there is nothing new.
  [[nodiscard]] bool answer(const std::string& client, Monitor& monitor, Clock::time_point now);
  void knock(Clock::time_point now);
  void forget_gone(Clock::time_point now);
  void say_farewell();
  void sample(Run& run, std::size_t most_facts = RunSampler::at_once);
  // That an ask is about; nullptr where there is none.
  [[nodiscard]] Run* find(const Ask& ask);
  [[nodiscard]] Run* find(std::uint32_t run);
  [[nodiscard]] Frame frame_of(const Run& run, const Ask& ask, Clock::time_point now) const;
  [[nodiscard]] static ViewChanges views_of(const Run& run, std::uint64_t since);
  [[nodiscard]] bool is_asked() const;
  [[nodiscard]] bool wants_views(const Run& run);

  const Options options_;
  core::ExchangeServer exchange_;  // of the thread below, but for wake()
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;  // of all that follows, and of reading boards
  std::map<std::uint32_t, std::unique_ptr<Run>> runs_;  // under way
  std::unique_ptr<Run> last_;                           // of those that are over
  std::map<std::uint32_t, core::Pace> paces_;           // of those that may be steered
  FaultDesk faults_;
  std::map<std::string, Monitor> monitors_;
  std::map<std::string, Searched> searches_;
  std::vector<RunEnd> ends_;  // the last of them
  std::uint32_t first_end_ = 0;
  std::uint64_t frames_ = 0;
  Budget budget_;
  Clock::time_point next_frame_{};
  Clock::time_point next_slice_{};
  std::string directory_;
  std::string failure_;
  Attention attention_;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace rhizome::scenarios::live
