// A server of jobs: answers what the table of routes has. It stores, hands over to the feed, and
// reads what the tracker has written; it knows no run and no scheduler.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "tools/monitor/web/answers.hpp"
#include "tools/monitor/web/door/guard.hpp"
#include "tools/serve/job_feed.hpp"
#include "tools/serve/job_store.hpp"
#include "tools/serve/limits.hpp"
#include "tools/serve/orders.hpp"
#include "tools/serve/routes.hpp"
#include "tools/serve/uploads.hpp"

namespace rhizome::tools {

class JobService final : public WebAnswers {
 public:
  struct Limits {
    double per_second = 1000;          // jobs that are handed in; 0: any number
    std::uint64_t most_open = 10'000;  // jobs that are open at a time
    // Requests that wait for jobs at a time. Each holds a thread of the server, which must have
    // more.
    std::size_t most_waiting = 8;
    std::size_t most_uploading = 8;  // files that are received at a time; they hold threads, too
  };
  // All outlive it.
  JobService(JobStore& store, JobFeed& feed, Orders& orders, Uploads& uploads, Limits limits)
      : store_(store),
        feed_(feed),
        orders_(orders),
        uploads_(uploads),
        limits_(limits),
        rate_(limits.per_second),
        uploading_(limits.most_uploading) {}

  // Whether jobs are taken: not before the run has begun, and not once it is to end.
  enum class Stage : std::uint8_t { starting, serving, draining };
  void enter(Stage stage) { stage_ = stage; }

  [[nodiscard]] Way way(const std::string& path) const override;
  // A refusal as problem+json (RFC 9457).
  [[nodiscard]] Reply refused(int status, const std::string& why) const override;
  [[nodiscard]] std::optional<Reply> answer(const Question& question) override;
  [[nodiscard]] std::unique_ptr<Receiver> receive(const Question& question) override;
  [[nodiscard]] Teller follow(const Question&) override { return {}; }

 private:
  class Upload;
  [[nodiscard]] Reply answer(const Route& route, const Question& question, const Match& found);
  [[nodiscard]] Reply file(const std::string& hash) const;
  [[nodiscard]] Reply submit(const Question& question);
  [[nodiscard]] Reply accept(const JobOrder& order);
  [[nodiscard]] Reply known(const ServedJob& job, const JobOrder& order) const;
  [[nodiscard]] Reply list(const Question& question) const;
  [[nodiscard]] Reply show(const Question& question, std::uint64_t id) const;
  [[nodiscard]] Reply tasks(const Question& question, std::uint64_t id, bool results) const;
  [[nodiscard]] Reply cancel(std::uint64_t id);
  [[nodiscard]] Reply state(bool ready) const;
  [[nodiscard]] Reply metrics() const;
  [[nodiscard]] Reply busy(double seconds, const std::string& why) const;

  JobStore& store_;
  JobFeed& feed_;
  Orders& orders_;
  Uploads& uploads_;
  const Limits limits_;
  RateLimit rate_;
  ConnectionSlots uploading_;
  std::atomic<Stage> stage_{Stage::starting};
  std::atomic<std::uint64_t> coming_{0};  // orders that are being stored
  std::atomic<std::uint64_t> requests_{0};
  std::atomic<std::uint64_t> refusals_{0};
};

}  // namespace rhizome::tools
