// Policies in which servers report first, and a dispatcher keeps one bit of each: free or not. A
// task goes to a free server, which is free no more until it says so.
//   jiq        Lu et al. 2011: idle servers say so; any server, where none is known to be idle
//   jbt-d      Zhou et al. 2018: servers of fewer tasks than a threshold say so, which is renewed
//              every T from d servers; any server, where none is known to be below
//   threshold  the report (Bravi, Facchiano, Vestini, section 1.2): the same by unfinished work,
//              renewed also whenever no server is free, from K servers or, where tasks come fast,
//              from all
// Our choices, where the report leaves it open: tasks wait for a renewal that is under way; a
// server that answers is free at once if it is not above the new threshold; the threshold is told
// to all servers where it has changed, and to each whether it is free. The rate is that of the
// arrivals within the last one to two T.
#pragma once

#include <cstdint>

#include "agents/dispatcher/policy.hpp"
#include "agents/dispatcher/round.hpp"

namespace rhizome::agents::dispatching {

class Below final : public Selector {
 public:
  Below(const Options& options, Fleet& fleet, const RoundTimes& times);

  void start(Env& env) override;
  void arrived(Env& env, std::size_t tasks) override;
  [[nodiscard]] std::optional<ServerChoice> choose(Env& env) override;
  void on(Env& env, std::size_t server, const Standing& standing) override;
  void on(Env& env, std::size_t server, const Free& message) override;
  void on(Env& env, const RoundDue& due) override;
  void on(Env& env, const RenewDue& due) override;
  void began(Env& env, std::size_t server) override;
  void lost(Env& env, std::size_t server) override;
  void stop(Env& env) override;

 private:
  // The arrivals that the server reported; 0: it is not free.
  using Arrivals = std::uint64_t;
  struct FreeServer {
    std::size_t server;
    Arrivals arrivals;
  };

  [[nodiscard]] std::int64_t measure(const Standing& standing) const;
  [[nodiscard]] std::vector<FreeServer> free_servers() const;
  [[nodiscard]] double rate(core::Time now) const;
  void pass(core::Time now);
  void renew(Env& env, bool all_busy);
  void conclude(Env& env);
  void tell(Env& env);

  const Options& options_;
  Fleet& fleet_;
  Round round_;
  std::vector<Arrivals> free_;  // by place
  std::int64_t limit_ = 0;      // unfinished work in ns, or number of tasks
  bool median_ = false;         // the present round takes it; else the least
  core::Time window_{};         // start of the window that counts arrivals
  std::size_t in_window_ = 0;
  std::size_t in_former_ = 0;
  core::TimerId renewing_{};
};

}  // namespace rhizome::agents::dispatching
