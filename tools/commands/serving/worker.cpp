// rhizome worker: does the work of one node for a server.
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "core/child/dialogue.hpp"
#include "tools/cli/messages.hpp"
#include "tools/commands/commands.hpp"
#include "tools/nodes/places.hpp"
#include "tools/nodes/worker.hpp"

namespace rhizome::tools {

namespace {

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Slurm keeps the job of an srun that was killed, though nothing of it runs any more. A job that
// was not begun by a server is not cancelled.
void cancel_own_job() {
  const std::string job = setting("SLURM_JOB_ID");
  if (job.empty() || !setting("SLURM_JOB_NAME").starts_with(job_prefix)) return;
  constexpr core::Duration longest = std::chrono::seconds(10);
  try {
    core::Dialogue scancel({.words = {"scancel", "--quiet", "--", job}});
    while (scancel.line(longest)) continue;
  } catch (const std::runtime_error&) {
    return;  // its end
  }
}

Exit worker_command(const Arguments&) {
  const std::string why = work_for_server(STDIN_FILENO, STDOUT_FILENO);
  if (why.empty()) return Exit::holds;
  complain(why);
  cancel_own_job();
  return Exit::unavailable;
}

}  // namespace

Command worker_entry() {
  return {.name = "worker",
          .summary = "do the work of one node for rhizome serve, which starts it",
          .about =
              "rhizome serve --slurm or --hosts starts this command on each node that its\n"
              "policy reserves, and exchanges messages with it over standard input and output.\n"
              "worker ends with that connection, or if it has received nothing from the server\n"
              "for 20 seconds.",
          .examples = {"rhizome serve provisioned.toml --hosts h1,h2"},
          .run = worker_command,
          .alone = true};
}

}  // namespace rhizome::tools
