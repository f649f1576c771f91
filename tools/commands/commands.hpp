// The functions behind the table of commands.
#pragma once

#include <string>
#include <vector>

#include "tools/cli/command.hpp"

namespace rhizome::tools {

Exit init_command(const Arguments& arguments);
Exit run_command(const Arguments& arguments);
Exit merge_command(const Arguments& arguments);
Exit monitor_command(const Arguments& arguments);
Exit compare_command(const Arguments& arguments);
Exit agree_command(const Arguments& arguments);
Exit replay_command(const Arguments& arguments);
Exit reproduce_command(const Arguments& arguments);
Exit tournament_command(const Arguments& arguments);
Exit explore_command(const Arguments& arguments);
Exit validate_command(const Arguments& arguments);
Exit list_command(const Arguments& arguments);
Exit schema_command(const Arguments& arguments);
Exit doctor_command(const Arguments& arguments);
Exit export_command(const Arguments& arguments);
Exit bill_command(const Arguments& arguments);
Exit fate_command(const Arguments& arguments);
Exit tree_command(const Arguments& arguments);
Exit timeline_command(const Arguments& arguments);
Exit report_command(const Arguments& arguments);
Exit runs_command(const Arguments& arguments);
Exit completion_command(const Arguments& arguments);
Exit man_command(const Arguments& arguments);

// The entry of the command that tries every order of events.
[[nodiscard]] Command explore_entry();
// The entry of the command that measures machines.
[[nodiscard]] Command doctor_entry();
// The entry of the command that replays recorded runs.
[[nodiscard]] Command replay_entry();
// The entry of the command that watches runs under way.
[[nodiscard]] Command monitor_entry();
// The entry of the command that serves jobs, and the entries of its clients.
[[nodiscard]] Command serve_entry();
[[nodiscard]] std::vector<Command> client_entries();
// The entry of the command that does the work of a node for a server.
[[nodiscard]] Command worker_entry();
// The entries of those that read stored runs.
[[nodiscard]] std::vector<Command> reading_commands();

// The entries of those that serve the shell.
[[nodiscard]] std::vector<Command> shell_commands();

// The topics of `list`.
[[nodiscard]] std::vector<std::string> list_topics();

}  // namespace rhizome::tools
