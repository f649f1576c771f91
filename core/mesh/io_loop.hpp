// The I/O loop of a process: the one thread that serves all links to other processes. It sends
// queued messages, delivers received ones, pings, and notices which processes are lost.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "core/mesh/admission.hpp"
#include "core/mesh/entrance.hpp"
#include "core/mesh/frame.hpp"
#include "core/mesh/mailbox.hpp"
#include "core/mesh/send_queue.hpp"
#include "core/mesh/wire.hpp"

namespace rhizome::core {

// Messages to be sent. They outlive the mesh if threads of a run that got stuck still add some.
struct SendQueues {
  SendQueues(std::uint32_t processes, std::size_t most) {
    for (std::uint32_t i = 0; i < processes; ++i) to.emplace_back(bell, most);
  }
  Bell bell;
  std::deque<SendQueue> to;  // by process; nothing is put into one's own
};

// Where received messages go.
struct Destinations {
  explicit Destinations(std::uint32_t processes) : mailbox(processes), entrance(processes) {}
  Mailbox mailbox;
  Entrance entrance;
};

class IoLoop {
 public:
  struct Options {
    std::uint32_t rank = 0;
    std::chrono::nanoseconds dead_after{std::chrono::seconds(10)};
    std::chrono::nanoseconds leave_within{std::chrono::seconds(5)};
  };
  // Wires by process, and nothing for its own. SendQueues and arrivals outlive it.
  IoLoop(Options options, std::unique_ptr<Admission> admission,
         std::vector<std::unique_ptr<Wire>> wires, SendQueues& send_queues, Destinations& arrivals);

  // Serves until it is to end, and all others have answered that they have heard all, or are lost,
  // or have not answered in time.
  void run();
  // Says goodbye to all. From any thread.
  void end();
  // Connections that were refused. From any thread.
  [[nodiscard]] std::uint64_t strangers() const { return strangers_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Link {
    std::uint32_t process = 0;
    std::unique_ptr<Wire> wire;      // none: it is lost, or this process itself
    std::optional<Bytes> waiting{};  // what the wire did not take
    Clock::time_point heard{};
    Clock::time_point next_ping{};
    std::uint32_t pings = 0;                    // answered
    std::optional<Clock::time_point> broken{};  // since then
    bool up = false;
    bool leaves = false;     // the process has said bye
    bool has_heard = false;  // it has received all messages up to the bye
  };

  // Two processes that cannot reach each other; one of them has reported it.
  struct Dispute {
    std::uint32_t lower = 0;
    std::uint32_t higher = 0;
    Clock::time_point since{};
  };

  void beat(Clock::time_point now);
  void ping(Link& link, Clock::time_point now);
  // False where more could be sent at once.
  bool send_all();
  bool send_some(Link& link);
  void wait(bool at_once);
  void receive_all();
  void receive(Link& link);
  // False where it is nothing that this process may say.
  [[nodiscard]] bool take(Link& link, const LinkFrame& frame);
  [[nodiscard]] bool take_ping(Link& link, const LinkFrame& frame);
  [[nodiscard]] bool take_pong(Link& link, const LinkFrame& frame);
  [[nodiscard]] bool take_ready(const Link& link, const LinkFrame& frame);
  // The other end sends no more, and may close the link once it knows that everything was received.
  void take_bye(Link& link);
  void look_after(Link& link, Clock::time_point now);
  // Gives up one of two processes that cannot reach each other, unless one of them was lost
  // meanwhile.
  void settle_disputes(Clock::time_point now);
  // The link to it is of no use any more.
  void fail(Link& link, const std::string& why);
  // No other process waits for it any more.
  void give_up(std::uint32_t process, const std::string& why);
  // This process is not counted on any more.
  void be_given_up(const std::string& why);
  void close_left(Link& link);
  [[nodiscard]] bool all_have_heard() const;

  const Options options_;
  std::unique_ptr<Admission> admission_;
  std::vector<Link> links_;  // by process
  SendQueues& send_queues_;
  Destinations& arrivals_;
  std::atomic<bool> ending_{false};
  Clock::time_point awake_ = Clock::now();
  // The last standstill that was long enough to be taken for dead, and its end.
  Clock::duration stood_{0};
  Clock::time_point woke_{};
  std::vector<Dispute> disputes_;  // used by process 0
  std::atomic<std::uint64_t> strangers_{0};
};

}  // namespace rhizome::core
