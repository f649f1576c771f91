// The feed: shows the runs of an experiment to several monitors while the runs go on. It has a
// thread of its own that answers requests and else sleeps. Runs do not wait for it, and it limits
// its processor time to a budget.
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
#include "scenarios/live/fault_desk.hpp"
#include "scenarios/live/messages.hpp"
#include "scenarios/live/past.hpp"
#include "scenarios/live/sampler.hpp"
#include "scenarios/live/search.hpp"

namespace rhizome::scenarios::live {

// A budget: how often something may be done, if it is to take no more than a share of a processor.
class Budget {
 public:
  using Time = std::chrono::nanoseconds;

  // `share`: of one processor, above 0. `least`: interval between two samples, however little they
  // cost.
  Budget(double share, Time least) : share_(share), least_(least) {}

  // Records the processor time of one sample.
  void spent(Time processor) {
    usual_ = usual_ == Time::zero() ? processor : (3 * usual_ + processor) / 4;
  }
  // The interval between two samples.
  [[nodiscard]] Time interval() const {
    const auto needed = std::chrono::duration_cast<Time>(
        std::chrono::duration<double, std::nano>(static_cast<double>(usual_.count()) / share_));
    return needed > least_ ? needed : least_;
  }
  // Whether samples are rarer than wanted because of their cost.
  [[nodiscard]] bool slows() const { return interval() > least_; }
  // The share of a processor at that interval.
  [[nodiscard]] double share() const {
    return static_cast<double>(usual_.count()) / static_cast<double>(interval().count());
  }

 private:
  double share_;
  Time least_;
  Time usual_{0};  // lately, the latest weighing most
};

// The cost of showing an experiment.
struct Attention {
  std::uint32_t monitors = 0;  // monitors welcomed
  std::uint64_t frames = 0;    // frames sent to monitors
  std::chrono::nanoseconds processor{0};
};

class Feed {
 public:
  struct Options {
    std::string endpoint;
    std::string scenario;
    std::uint64_t runs = 0;  // of the experiment
    bool control = false;    // whether monitors may steer the runs; monitors are told
    // Whether any run must keep up with a clock: then the feed gives way to the runs.
    bool real_time = true;
    // The share of a core for all monitors together. More gives more frames a second where there
    // are many peers, and takes more processor time from a run on threads.
    double share = 0.01;
    std::chrono::milliseconds least{100};  // between frames; less gives smoother views
    // How long a connected monitor may ask nothing, for instance because its process is stopped.
    // After that it loses its place.
    std::chrono::milliseconds patience{10'000};
  };
  static constexpr std::size_t most_monitors = 16;

  // Throws core::ExchangeFailed, or std::system_error where the system allows no more threads.
  explicit Feed(Options options);
  // Tells all monitors that the experiment is over.
  ~Feed();
  Feed(const Feed&) = delete;
  Feed& operator=(const Feed&) = delete;

  // May be called from any thread. The feed may read the board until unwatch() of that run has
  // returned. When unwatch() is called, the board must say how the run ended.
  void watch(const RunTitle& title, const core::Board& board, core::Foreseen foreseen = {});
  void unwatch(std::uint32_t run);
  // Lets monitors steer the pace of that run, in virtual time, once it is watched. `held`: the run
  // begins when a monitor lets it go. Valid until unwatch().
  [[nodiscard]] core::Pace& pace(std::uint32_t run, bool held);
  // Lets monitors cause faults in that run, once it is watched and until unwatch(). `steering` must
  // live until then.
  void steer(std::uint32_t run, core::Steering& steering);
  // Tells monitors that a run has been judged.
  void conclude(RunEnd end);
  // Sets the directory that keeps the results of the experiment.
  void kept_in(const std::string& directory);
  // Why the feed no longer answers although the experiment goes on; empty without an error.
  [[nodiscard]] std::string failure();
  // The load of monitors so far.
  [[nodiscard]] Attention attention();

 private:
  using Clock = std::chrono::steady_clock;
  // An answer comes after this long even without news, so that a longer silence shows that
  // something is wrong.
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
    std::uint64_t before = 0;  // the number of the last frame before the run began
    Clock::time_point began = Clock::now();
    Clock::time_point ended{};
    Clock::duration held{};                // for how long in all; known once the run is over
    bool over = false;                     // the run has ended, and its board is gone
    std::uint32_t by_hand = 0;             // the number of faults by hand, once the run is over
    FaultCounts faults{};                  // as of the last sample
    std::vector<ProcessSeen> processes{};  // likewise
    bool complete = true;                  // likewise: each process has reported its peers
    RunSampler sampler;
    Past past;
  };
  struct Monitor {
    Clock::time_point asked{};  // when it asked last
    std::optional<Ask> ask{};   // the request that waits for an answer
    Ask last{};                 // the last request, answered or not
    Clock::time_point knocked{};
    bool gone = false;  // the monitor has closed the connection
  };

  struct Searched {
    StorySearch search;
    Clock::time_point told{};  // when the monitor was told last
  };

  void serve();
  void serve_until_stopped();
  void take(const core::Request& request);
  void take(const std::string& client, const Hello& hello);
  void take(const std::string& client, const Ask& ask);
  void take(const std::string& client, const Steer& steer);
  // Nothing where the answer comes later.
  [[nodiscard]] std::optional<Answer> answer_to(const std::string& client, const Steer& steer);
  [[nodiscard]] static Answer answer_to(const Steer& steer, core::Pace* pace, const Run& run);
  void tell_of_faults();
  void take(const std::string& client, const Survey& survey);
  void take(const std::string& client, const Story& story);
  void take(const std::string& client, const RunsRequest& request);
  // Continues each search for a story by one slice.
  void search(Clock::time_point now);
  void tell(const std::string& client, const StorySearch& search);
  // The time until there is something to do without a request.
  [[nodiscard]] std::chrono::milliseconds idle(Clock::time_point now) const;
  void keep_past(Clock::time_point now);
  void answer_all(Clock::time_point now);
  // Returns false while there is nothing new.
  [[nodiscard]] bool answer(const std::string& client, Monitor& monitor, Clock::time_point now);
  void knock(Clock::time_point now);
  void forget_gone(Clock::time_point now);
  void say_farewell();
  void sample(Run& run, std::size_t most_facts = RunSampler::at_once);
  // The run that a request is about; nullptr where there is none.
  [[nodiscard]] Run* find(const Ask& ask);
  [[nodiscard]] Run* find(std::uint32_t run);
  [[nodiscard]] Frame frame_of(const Run& run, const Ask& ask, Clock::time_point now) const;
  [[nodiscard]] static ViewChanges views_of(const Run& run, std::uint64_t since);
  [[nodiscard]] bool is_asked() const;
  [[nodiscard]] bool wants_views(const Run& run);

  const Options options_;
  core::ExchangeServer exchange_;  // used only by the thread below, except wake()
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;  // protects all members below, and the reading of boards
  std::map<std::uint32_t, std::unique_ptr<Run>> runs_;  // under way
  std::unique_ptr<Run> last_;                           // the last run that is over
  std::map<std::uint32_t, core::Pace> paces_;           // of the runs that may be steered
  double speed_ = 0;                                    // of the run that ended last
  FaultDesk faults_;
  std::map<std::string, Monitor> monitors_;
  std::map<std::string, Searched> searches_;
  std::vector<RunEnd> ends_;  // the latest ends
  std::uint32_t first_end_ = 0;
  std::uint64_t frames_ = 0;
  Budget budget_;
  Clock::time_point next_frame_{};
  Clock::time_point next_slice_{};
  std::string directory_;
  std::string failure_;
  Attention attention_;
  std::thread thread_;  // the last member, because it uses all others
};

}  // namespace rhizome::scenarios::live
