// Reads orders of jobs, which come over HTTP in JSON, and checks that they can be done. An order
// has the words of a line of a job list, and the same rules read them.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>

#include "scenarios/world/sections.hpp"
#include "scenarios/world/workload/job_list.hpp"
#include "scenarios/world/workload/job_work.hpp"
#include "tools/serve/job.hpp"

namespace rhizome::tools {

// An error in an order, in one sentence, and the HTTP status for it.
class BadOrder : public std::runtime_error {
 public:
  BadOrder(int status, const std::string& why) : std::runtime_error(why), status_(status) {}
  [[nodiscard]] int status() const { return status_; }

 private:
  int status_;
};

// Whether the words of a task contain {job} or {task}, which stand for its numbers. Without them,
// the words are the same for all tasks. with_numbers() replaces them.
[[nodiscard]] bool has_numbers(const std::string& work);
[[nodiscard]] std::string with_numbers(std::string work, std::uint64_t job, std::uint32_t task);

class Orders {
 public:
  // `section`: the workload of the scenario, which must be a job list.
  explicit Orders(const scenarios::WorkloadSection& section)
      : bounds_(section.own.of<scenarios::JobBounds>()),
        work_(bounds_.folder, bounds_.programs, false, bounds_.store) {}

  // Makes the folder of outputs, if jobs may run programs; where it cannot be made, orders with an
  // output are refused. Throws scenarios::CannotWrite if what is there may hold more than outputs.
  void make_outputs_folder() const;

  // The order in a request. Throws BadOrder: status 400 if it is no order, 422 if its values are
  // none that an order may have. All functions may be called from any thread.
  [[nodiscard]] JobOrder order_in(const std::string& body, const std::string& key);
  [[nodiscard]] const scenarios::JobBounds& bounds() const { return bounds_; }
  // Throws BadOrder if the order cannot be done now: a file may be missing.
  void check(const JobOrder& order);
  // Throws BadOrder if an order of a store is none that order_in() would return by now.
  void check_kept(const JobOrder& order) const;
  // Throws BadOrder if the words describe no work, or work that is not allowed.
  void check(const std::string& work);

 private:
  const scenarios::JobBounds bounds_;
  std::mutex mutex_;
  scenarios::JobWork work_;
};

}  // namespace rhizome::tools
