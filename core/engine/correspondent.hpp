// A correspondent: reports the peers of another share to share 0, as often as share 0 asks and
// within a limit of cost, and makes sure that faults by hand are done there.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "core/engine/aside.hpp"
#include "core/engine/board.hpp"
#include "core/engine/partial_report.hpp"
#include "core/engine/share.hpp"
#include "core/engine/shared_control.hpp"

namespace rhizome::core {

class Correspondent {
 public:
  // Bounds of one answer, so that none takes long. Less spreads the work; more completes sooner if
  // there are many peers, or an observer comes late.
  static constexpr std::size_t peers_at_once = 500;
  static constexpr std::size_t facts_at_once = 8000;
  static constexpr std::size_t bytes_at_once = std::size_t{400} << 10U;  // of facts
  // Part of a core that reporting may take. More answers sooner, and takes more from the run.
  static constexpr double share_of_core = 0.01;

  // The post outlives it, and sends from any thread.
  Correspondent(Post& post, Share share, std::uint32_t peers, FactTypes types);
  ~Correspondent();
  Correspondent(const Correspondent&) = delete;
  Correspondent& operator=(const Correspondent&) = delete;

  // A message of share 0 beside the run. From any thread.
  void hear(std::uint32_t from, const Bytes& said);
  // The board of this share may be read from now on, until unwatch() returns. By then share 0, if
  // it has asked, knows how everything ended.
  void watch(const Board& board);
  void unwatch();
  // Where the engine of this share finds the commands of operators.
  [[nodiscard]] Steering& steering() { return steering_; }

  // All news of the next peers in turn. For the thread that reports, or a test.
  [[nodiscard]] aside::News collect(const Board& board, bool views);

 private:
  using Clock = std::chrono::steady_clock;

  void on(const aside::Call& call);
  void on(const aside::Charge& charge);
  template <class M>
  void on(const M&) {}  // messages that are not for this share

  void serve(const Board& board);
  [[nodiscard]] Clock::time_point next_look() const;
  void tell(const Board& board, bool views);
  void tell_all(const Board& board);
  void tell_outcomes();
  void collect_facts(const Board& board, std::size_t slot, aside::News& news);
  void collect_views(const Board& board, std::size_t slot, aside::News& news);
  void say(aside::Message message);

  Post& post_;
  const std::vector<PeerId> peers_;  // of this share
  const FactTypes types_;
  Steering steering_;

  // Used only by the thread that reports.
  std::vector<Vitals::Numbers> told_;  // by slot, like the next two
  std::vector<FactLog::Cursor> cursors_;
  std::vector<std::array<std::vector<PeerId>, view_kinds>> told_views_;
  std::size_t next_ = 0;   // slot of the peer in turn
  std::size_t bytes_ = 0;  // of facts in the present answer
  bool behind_ = false;    // the present answer leaves facts out
  std::size_t whole_ = 0;  // answers in a row that left nothing out

  std::mutex mutex_;  // guards all that follows
  std::condition_variable changed_;
  std::optional<aside::Call> call_;
  bool called_ = false;  // whether share 0 has ever asked
  bool ending_ = false;
  Clock::time_point asked_{};  // when share 0 last asked
  Clock::time_point rested_{};
  std::vector<std::pair<std::uint64_t, Steering::Number>>
      charges_;  // numbers at share 0, and as posted here
  std::thread thread_;
  const Board* board_ = nullptr;
};

}  // namespace rhizome::core
