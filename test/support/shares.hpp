// A run in several shares in one process: an engine for each, letters and packets between them in
// memory, and reports that travel as bytes.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/partial_report.hpp"
#include "core/engine/shared_control.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/peer/rng.hpp"

namespace rhizome::test {

// Keeps the letters of all shares, each for a while by chance, so that they overtake each other.
class PostOffice {
 public:
  // Each share but 0 reports that its clock is off by at most `clock_bound`.
  PostOffice(std::uint32_t shares, std::chrono::microseconds latest,
             std::chrono::nanoseconds clock_bound)
      : latest_(latest), clock_bound_(clock_bound), boxes_(shares) {
    for (std::uint32_t share = 0; share < shares; ++share) counters_.emplace_back(*this, share);
  }
  [[nodiscard]] core::Post& counter(std::uint32_t share) { return counters_[share]; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Kept {
    Clock::time_point from;
    core::Post::Letter letter;
  };
  class Counter final : public core::Post {
   public:
    Counter(PostOffice& office, std::uint32_t share) : office_(office), share_(share) {}
    void send(std::uint32_t to, const core::Bytes& message) override {
      office_.keep(to, {share_, message});
    }
    std::optional<Letter> receive(std::chrono::nanoseconds wait) override {
      return office_.take(share_, Clock::now() + wait);
    }
    [[nodiscard]] std::chrono::nanoseconds clock_bound() const override {
      return share_ == 0 ? std::chrono::nanoseconds{0} : office_.clock_bound_;
    }

   private:
    PostOffice& office_;
    std::uint32_t share_;
  };

  void keep(std::uint32_t to, core::Post::Letter letter) {
    const std::scoped_lock lock(mutex_);
    const std::chrono::microseconds late(rng_.between(0, latest_.count()));
    boxes_[to].push_back({Clock::now() + late, std::move(letter)});
    changed_.notify_all();
  }
  std::optional<core::Post::Letter> take(std::uint32_t share, Clock::time_point until) {
    std::unique_lock lock(mutex_);
    auto& box = boxes_[share];
    for (;;) {
      const auto now = Clock::now();
      for (auto kept = box.begin(); kept != box.end(); ++kept) {
        if (kept->from > now) continue;
        core::Post::Letter letter = std::move(kept->letter);
        box.erase(kept);
        return letter;
      }
      if (now >= until) return {};
      changed_.wait_until(lock, std::min(until, now + std::chrono::milliseconds(1)));
    }
  }

  const std::chrono::microseconds latest_;
  const std::chrono::nanoseconds clock_bound_;
  std::mutex mutex_;
  std::condition_variable changed_;
  core::Rng rng_ = core::Rng::derive({1}, "post");
  std::vector<std::deque<Kept>> boxes_;
  std::deque<Counter> counters_;
};

// Carries what leaves one share to the others, in order, each a while after it was put.
class Ferry final : public core::Gateway {
 public:
  using Entrances = std::vector<core::Gateway*>;  // by share
  // Both outlive it; the entrances are known before anything is put.
  Ferry(core::Share share, const Entrances& entrances, std::chrono::microseconds crossing)
      : share_(std::move(share)),
        entrances_(entrances),
        crossing_(crossing),
        thread_([this] { carry(); }) {}
  ~Ferry() override {
    {
      const std::scoped_lock lock(mutex_);
      over_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Ferry(const Ferry&) = delete;
  Ferry& operator=(const Ferry&) = delete;

  std::optional<core::Drop> put(const core::PacketHeader& header,
                                std::span<const std::byte> payload) override {
    board([this, header, kept = core::Bytes(payload.begin(), payload.end())] {
      static_cast<void>(entrances_[share_.share_of(header.to)]->put(header, kept));
    });
    return {};
  }
  void begins(core::PeerId peer, core::Incarnation life) override {
    board([this, peer, life] {
      for (std::uint32_t to = 0; to < entrances_.size(); ++to)
        if (to != share_.number()) entrances_[to]->begins(peer, life);
    });
  }

 private:
  using Clock = std::chrono::steady_clock;
  struct Passage {
    Clock::time_point arrival;
    std::function<void()> arrive;
  };

  void board(std::function<void()> arrive) {
    const std::scoped_lock lock(mutex_);
    aboard_.push_back({Clock::now() + crossing_, std::move(arrive)});
    changed_.notify_all();
  }
  void carry() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return over_ || !aboard_.empty(); });
      if (over_) return;
      const Passage first = std::move(aboard_.front());
      aboard_.pop_front();
      lock.unlock();
      std::this_thread::sleep_until(first.arrival);
      first.arrive();
      lock.lock();
    }
  }

  const core::Share share_;
  const Entrances& entrances_;
  const std::chrono::microseconds crossing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Passage> aboard_;
  bool over_ = false;
  std::thread thread_;
};

// Gives out what a run was to be given, to one share of several.
class Copied final : public core::InputSource {
 public:
  explicit Copied(const std::vector<core::Input>& inputs) : inputs_(inputs) {}
  std::optional<core::Input> next(core::Time /*now*/) override {
    return next_ < inputs_.size() ? std::optional(inputs_[next_++]) : std::nullopt;
  }

 private:
  const std::vector<core::Input>& inputs_;
  std::size_t next_ = 0;
};

struct ShareOptions {
  core::ThreadOptions threads{};
  std::chrono::microseconds crossing{200};        // of a packet from share to share
  std::chrono::microseconds latest_letter{8000};  // of control
  std::chrono::nanoseconds clock_bound{0};        // of each share but 0
  core::ControlOptions control{};
};

// Engines that run the shares of a placement together. Built before, and run once.
class Shares {
 public:
  Shares(const core::EngineSetup& setup, const core::Placement& placement,
         ShareOptions options = {})
      : peers_(setup.peers),
        office_(placement.shares(), options.latest_letter, options.clock_bound),
        setups_(placement.shares(), setup) {
    if (setup.inputs != nullptr)
      while (auto input = setup.inputs->next({})) inputs_.push_back(std::move(*input));
    for (std::uint32_t i = 0; i < placement.shares(); ++i) add({placement, i}, options);
    for (const auto& engine : engines_) entrances_.push_back(&engine->entrance());
  }

  // The result or the exception of each share; `stops`: the share that is asked to stop.
  struct Result {
    std::optional<core::PartialReport> part{};
    std::exception_ptr error{};
  };
  std::vector<Result> run(const std::vector<const std::atomic<bool>*>& stops = {}) {
    std::vector<Result> results(engines_.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < engines_.size(); ++i)
      threads.emplace_back([this, i, &results, stop = i < stops.size() ? stops[i] : nullptr] {
        try {
          results[i].part = {shares_[i].peers_of(peers_), engines_[i]->run({.stop = stop})};
        } catch (...) {
          results[i].error = std::current_exception();
        }
      });
    for (std::thread& thread : threads) thread.join();
    return results;
  }

 private:
  void add(const core::Share& share, const ShareOptions& options) {
    core::EngineSetup& setup = setups_[share.number()];
    if (setup.inputs != nullptr) setup.inputs = &sources_.emplace_back(inputs_);
    shares_.push_back(share);
    auto& control =
        controls_.emplace_back(share, office_.counter(share.number()), setup, options.control);
    auto& ferry = ferries_.emplace_back(share, entrances_, options.crossing);
    engines_.push_back(std::make_unique<core::ThreadEngine>(
        setup, options.threads, core::EngineMembership{share, &control, &ferry}));
  }

  const std::uint32_t peers_;
  std::vector<core::Input> inputs_;
  PostOffice office_;
  std::vector<core::EngineSetup> setups_;
  std::deque<Copied> sources_;
  std::vector<core::Share> shares_;
  std::deque<core::SharedControl> controls_;
  Ferry::Entrances entrances_;
  std::vector<std::unique_ptr<core::ThreadEngine>> engines_;
  std::deque<Ferry> ferries_;  // ends before the engines do
};

// The report of all, which has travelled. Throws what a share threw.
inline core::EngineReport run_in_shares(const core::EngineSetup& setup,
                                        const core::Placement& placement,
                                        const core::FactTypes& facts, ShareOptions options = {}) {
  std::vector<core::PartialReport> parts;
  for (Shares::Result& result : Shares(setup, placement, options).run()) {
    if (result.error) std::rethrow_exception(result.error);
    parts.push_back(core::decode(core::encode(*result.part), facts).value());
  }
  return core::merge(std::move(parts), setup.peers);
}

}  // namespace rhizome::test
