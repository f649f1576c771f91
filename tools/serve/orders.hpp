// Orders of jobs as they come over HTTP, in JSON, and whether they can be done: the same words,
// read by the same rules, as those of a job list.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>

#include "scenarios/world/sections.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "scenarios/world/workload/job_work.hpp"
#include "tools/serve/job.hpp"

namespace rhizome::tools {

// What is wrong with an order, in one sentence, and the status of HTTP that says so.
class BadOrder : public std::runtime_error {
 public:
  BadOrder(int status, const std::string& why) : std::runtime_error(why), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

// The words of a task, in which {job} and {task} are its numbers; the same for all where neither
// stands there.
[[nodiscard]] bool has_numbers(const std::string& work);
[[nodiscard]] std::string with_numbers(std::string work, std::uint64_t job, std::uint32_t task);

class Orders {
 public:
  // `section`: of a workload that is a job list.
  explicit Orders(const scenarios::WorkloadSection& section)
      : bounds_(section.own.of<scenarios::JobBounds>()), work_(bounds_.folder, bounds_.programs) {}

  // What a request asks for. Throws BadOrder: 400 for what is no order, 422 for one that cannot be
  // done. From any thread, as all here.
  [[nodiscard]] JobOrder order_in(const std::string& body, const std::string& key);
  [[nodiscard]] const scenarios::JobBounds& bounds() const { return bounds_; }
  // Throws BadOrder where those words say no work, or none that may be done.
  void check(const std::string& work);

 private:
  const scenarios::JobBounds bounds_;
  std::mutex mutex_;
  scenarios::JobWork work_;
};

}  // namespace rhizome::tools
