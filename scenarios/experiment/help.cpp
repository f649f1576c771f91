// The side of a helper: one thread receives orders and sends answers, and other threads do the
// runs.
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "core/peer/tagged.hpp"
#include "scenarios/experiment/helping.hpp"

namespace rhizome::scenarios {

namespace {

using helping::Answer;
using helping::Word;

constexpr std::chrono::milliseconds pulse{10};

class Workshop {
 public:
  Workshop(const Help& help, const Packing& packing) : help_(help), packing_(packing) {
    while (threads_.size() < help.slots && add_thread()) {
    }
  }
  // Interrupts the runs that are under way.
  ~Workshop() {
    {
      const std::scoped_lock lock(mutex_);
      closed_ = true;
    }
    changed_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  void add(std::uint64_t run) {
    const std::scoped_lock lock(mutex_);
    orders_.push_back(run);
    changed_.notify_one();
  }
  std::deque<Answer> take_answers() {
    const std::scoped_lock lock(mutex_);
    return std::exchange(answers_, {});
  }

 private:
  // Returns false where the system allows no more threads: the existing threads then do all runs.
  // Throws where there is no thread at all.
  bool add_thread() {
    try {
      threads_.emplace_back([this] { work(); });
      return true;
    } catch (const std::system_error&) {
      if (threads_.empty()) throw;
      return false;
    }
  }
  void work() {
    for (;;) {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return closed_.load() || !orders_.empty(); });
      if (closed_) return;
      const std::uint64_t run = orders_.front();
      orders_.pop_front();
      lock.unlock();
      Answer answer = answer_to(run);
      lock.lock();
      answers_.push_back(std::move(answer));
    }
  }
  // An error here is reported by process 0, which does the run again.
  [[nodiscard]] Answer answer_to(std::uint64_t run) const {
    Answer answer{.run = run};
    try {
      const Outcome outcome = help_.run(run, answer.remarks, &closed_);
      answer.wall_ns = static_cast<std::uint64_t>(outcome.wall.count());
      answer.outcome = packing_.pack(outcome);
      answer.done = outcome.ending != core::Ending::interrupted;
    } catch (const std::exception&) {
      answer.done = false;
    }
    return answer;
  }

  const Help& help_;
  const Packing& packing_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::uint64_t> orders_;
  std::deque<Answer> answers_;
  std::atomic<bool> closed_{false};
  std::vector<std::thread> threads_;
};

void send(core::Mesh& mesh, Word word) { mesh.send(0, core::encode_tagged(word)); }

// Tells process 0, so that other processes get the runs of this one at once.
bool leave(core::Mesh& mesh, bool interrupted) {
  send(mesh, helping::HelperLeaving{interrupted});
  return false;
}

}  // namespace

bool help(core::Mesh& mesh, const Packing& packing, const Help& help) {
  Workshop workshop(help, packing);
  send(mesh, helping::Ready{help.slots});
  for (;;) {
    for (Answer& answer : workshop.take_answers()) send(mesh, std::move(answer));
    const bool lost = mesh.loss_of(0).has_value();  // everything that it sent before has arrived
    const auto parcel = mesh.receive(pulse);
    if (help.stop != nullptr && help.stop->load()) return leave(mesh, true);
    if (!parcel && lost) return false;
    if (!parcel || parcel->from != 0) continue;
    const auto word = core::decode_tagged<Word>(parcel->bytes, core::no_limits);
    if (!word) return leave(mesh, false);
    if (std::holds_alternative<helping::Dismissal>(*word)) return true;
    if (const auto* order = std::get_if<helping::Order>(&*word)) {
      if (order->run >= help.runs) return leave(mesh, false);
      workshop.add(order->run);
    }
  }
}

}  // namespace rhizome::scenarios
