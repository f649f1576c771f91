#include "tools/nodes/worker.hpp"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <mutex>
#include <utility>

#include "agents/work/kinds.hpp"
#include "core/engine/work_pool.hpp"
#include "tools/nodes/lines.hpp"

namespace rhizome::tools {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_order = std::size_t{16} << 20U;  // bytes

class Worker {
 public:
  Worker(int in, int out) : in_(in), out_(out) {}

  std::string serve() {
    say({.kind = WorkerAnswer::Kind::ready, .version = worker_version()});
    Clock::time_point heard = Clock::now();
    Clock::time_point said = heard;
    for (;;) {
      if (Clock::now() - said >= between_signs) {
        say({});
        said = Clock::now();
      }
      pollfd input{in_, POLLIN, 0};
      constexpr int half_a_second = 500;
      const int ready = poll(&input, 1, half_a_second);
      if (ready > 0) {
        if (!take()) return "the server has closed the connection";
        heard = Clock::now();
      } else if (Clock::now() - heard > longest_silence) {
        return "the server has been silent for too long";
      }
      if (std::string why; obey_all(why)) return why;
    }
  }

 private:
  // False at the end of the input.
  bool take() {
    std::array<char, 65536> text{};
    const ssize_t size = read(in_, text.data(), text.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) return true;
    if (size <= 0) return false;
    unread_.append(text.data(), static_cast<std::size_t>(size));
    return true;
  }

  // Obeys all orders; true if the worker must end, with the reason unless it was an order.
  bool obey_all(std::string& why) {
    std::size_t first = 0;
    for (std::size_t end = 0; (end = unread_.find('\n', first)) != std::string::npos;) {
      const auto order = worker_order_in(std::string_view(unread_).substr(first, end - first));
      if (!order) why = "the server has sent a line that is no order";
      if (!order || order->kind == WorkerOrder::Kind::end) return true;
      obey(*order);
      first = end + 1;
    }
    unread_.erase(0, first);
    if (unread_.size() > longest_order) why = "the server has sent a line without an end";
    return unread_.size() > longest_order;
  }

  void obey(const WorkerOrder& order) {
    const core::WorkPool::Ticket ticket{{}, {}, {.number = order.id}};
    if (order.kind == WorkerOrder::Kind::stop) pool_.cancel(ticket);
    if (order.kind == WorkerOrder::Kind::pace) pool_.pace(ticket, order.rate);
    if (order.kind != WorkerOrder::Kind::work) return;
    auto computation = core::computation_of(agents::work_kinds(), order.work);
    if (computation)
      pool_.submit(ticket, std::move(computation));
    else
      say({.kind = WorkerAnswer::Kind::done,
           .id = order.id,
           .result = core::judged("its node cannot read what it is told", false)});
  }

  // A connection that takes nothing is broken, and reading shows it.
  void say(const WorkerAnswer& answer) {
    const std::scoped_lock lock(mutex_);
    const std::string line = line_of(answer);
    for (std::size_t at = 0; at < line.size();) {
      const ssize_t size = write(out_, line.data() + at, line.size() - at);
      if (size < 0 && errno != EINTR) return;
      if (size > 0) at += static_cast<std::size_t>(size);
    }
  }

  const int in_;
  const int out_;
  std::string unread_;
  std::mutex mutex_;
  // The last member: its threads use the others.
  core::WorkPool pool_{[this](const core::WorkPool::Ticket& ticket, const core::Result& result) {
    say({.kind = WorkerAnswer::Kind::done, .id = ticket.id.number, .result = result});
  }};
};

}  // namespace

std::string work_for_server(int in, int out) { return Worker(in, out).serve(); }

}  // namespace rhizome::tools
