// A crew: runs in virtual time go on side by side, on all cores, and their outcomes are handed over
// in order. A few may be ahead of the one awaited, so that memory stays bounded.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "scenarios/outcome/outcome.hpp"

namespace rhizome::scenarios {

class Crew {
 public:
  // Does one of the runs, from any thread; what it has to remark goes into the list.
  using Run = std::function<Outcome(std::size_t, std::vector<std::string>&)>;
  struct Result {
    std::optional<Outcome> outcome;  // none where it was not to begin any more
    std::vector<std::string> remarks;
    std::exception_ptr error;
    bool ready = false;
  };

  // Begins at once. Throws core::LimitExceeded where the system allows no thread.
  Crew(std::size_t runs, Run run, const std::atomic<bool>* stop, unsigned workers);
  // Waits for the runs that have begun.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Waits for that run; each is to be taken once, in order.
  [[nodiscard]] Result take(std::size_t i);

 private:
  // False when the system allows no more: what there are do it all, later.
  bool add_worker();
  void work();
  [[nodiscard]] Result run(std::size_t mine);

  const Run run_;
  const std::atomic<bool>* stop_;
  const unsigned workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Result> done_;
  std::size_t next_ = 0;
  std::size_t taken_ = 0;
  bool abandoned_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace rhizome::scenarios
