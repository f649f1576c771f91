// The clients of a service that is kept by programs, all of them at the source: each task of the
// scenario's workload is an operation that they ask of a peer by chance.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agents/client.hpp"
#include "agents/program/client_workload.hpp"
#include "agents/program/messages.hpp"
#include "agents/program/options.hpp"
#include "agents/scheduler.hpp"

namespace rhizome::agents::program {

class ServiceClients {
 public:
  ServiceClients(const ClientOptions& options, const World& world);

  // Each says why the run has failed, as a sentence; empty: it has not.
  [[nodiscard]] std::string start(Env& env);
  [[nodiscard]] std::string on(Env& env, const Submitted& job);
  [[nodiscard]] std::string on(Env& env, core::PeerId from, const Answer& answer);
  [[nodiscard]] std::string on(Env& env, const AnswerDue& due);
  [[nodiscard]] std::string on(Env& env, const SettleDue& due);
  // All operations are done: waits a while, and then judges what peers know.
  void settle(Env& env);
  // Whether all operations were asked and judged.
  [[nodiscard]] bool judged() const { return judged_; }
  // Sends no more requests, and forgets the open ones.
  void stop(Env& env);

 private:
  // What every peer is asked before and after the operations.
  enum class Phase : std::uint8_t { first, operations, last };
  struct Asked {
    core::PeerId peer;
    core::Time at{};
    core::TimerId timer{};
    std::optional<Task> task{};   // of an operation
    std::uint32_t operation = 0;  // its number
    std::uint32_t tries = 1;      // for requests that every peer gets
  };

  void ask(Env& env, core::PeerId peer, const std::string& question, Asked asked);
  void ask_all(Env& env, const std::string& question);
  void begin(Env& env, const Task& task);
  [[nodiscard]] std::string heard(Env& env, const Asked& asked, const AnswerReading& reading,
                                  const std::string& body);
  [[nodiscard]] std::string conclude(Env& env);

  const ClientOptions& options_;
  const World& world_;
  std::unique_ptr<ClientWorkload> workload_;
  Phase phase_ = Phase::first;
  std::vector<Task> waiting_{};             // for the first phase to end
  std::map<std::uint32_t, Asked> asked_{};  // by "msg_id"
  std::uint32_t next_message_ = 1;
  std::uint32_t operations_ = 0;
  std::uint64_t succeeded_ = 0;
  core::TimerId settling_{};
  std::string last_error_{};
  bool judged_ = false;
};

}  // namespace rhizome::agents::program
