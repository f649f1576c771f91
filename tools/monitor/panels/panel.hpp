// Panels: the parts of screens. Each draws into a grid of its own or a part of one: it gets its
// first line, and panels with lists also the line before which they end; panels that choose their
// height return the line after them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/live/seen/forest.hpp"
#include "scenarios/live/seen/knowledge.hpp"
#include "tools/monitor/grid.hpp"
#include "tools/monitor/view.hpp"

namespace rhizome::tools {

struct Panel {
  const scenarios::live::State& state;  // the state shown; it knows a run
  const scenarios::live::Knowledge& known;
  const View& view;
  const scenarios::live::Forest forest;  // made from that state
};

// The header: the run, its progress and its verdict, in three lines.
std::size_t put_header(TextGrid& grid, const Panel& panel);

// Messages by class over time: a line of each, or one of words and two of marks.
std::size_t put_messages(TextGrid& grid, const Panel& panel, std::size_t line);
std::size_t put_tall_messages(TextGrid& grid, const Panel& panel, std::size_t line);
// A mark for each peer, or for several, by the messages of the busiest of them, in so many lines.
std::string burden_title(const Panel& panel);
std::string hottest_text(const Panel& panel);
std::size_t put_burden(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t most);

// All peers in their order, around the chosen one; and one alone.
void put_peers(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);
void put_peer(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);
// All peers in the chosen order; equals by address.
[[nodiscard]] std::vector<core::PeerId> ordered_peers(const scenarios::live::State& state,
                                                      PeerOrder order, bool reversed = false);
// The peers of a list, in the order shown.
[[nodiscard]] std::vector<core::PeerId> listed_peers(const Panel& panel);

// The latest that were noted by a peer, the last one first, as far as they are known.
[[nodiscard]] std::vector<scenarios::live::LiveFact> events_of(const Panel& panel,
                                                               core::PeerId peer);
std::string events_title(const Panel& panel);
void put_events(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);

std::string tree_title(const Panel& panel);
void put_tree(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);
// The unfolded peers of the tree, in the order shown.
[[nodiscard]] std::vector<core::PeerId> unfolded_peers(const Panel& panel);

std::string task_title(const Panel& panel);
void put_task(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);

// Work, punctuality, inboxes, drops and what watching costs; and the faults, around now.
std::size_t put_tasks(TextGrid& grid, const Panel& panel, std::size_t line);
void put_health(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);
// How many lines the faults of the run need.
[[nodiscard]] std::size_t fault_lines(const Panel& panel);
void put_faults(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);

void put_runs(TextGrid& grid, const Panel& panel, std::size_t line, std::size_t end);
// The listed runs.
[[nodiscard]] std::vector<std::uint32_t> listed_runs(const scenarios::live::Knowledge& known);

// Texts that several panels use.

// "17.0", "1200", "34k", "5M".
[[nodiscard]] std::string short_number(double number);
// "#17", "nobody".
[[nodiscard]] std::string name_of(core::PeerId peer);
// "112.3".
[[nodiscard]] std::string name_of(agents::TaskId task);
// "process 1 on h2".
[[nodiscard]] std::string process_text(const scenarios::live::ProcessSeen& process);
// All that a peer sends and receives in a second.
[[nodiscard]] double burden_of(const scenarios::live::State& state, core::PeerId peer);
[[nodiscard]] std::string kind_of(const Panel& panel, const scenarios::live::LiveFact& fact);
// " 12.381  #44     parent-changed   to #17   promotion".
[[nodiscard]] std::string event_line(const Panel& panel, const scenarios::live::LiveFact& fact);
// The first of so many lines of a list that shows the chosen one in its midst, as far as it can.
[[nodiscard]] std::size_t first_line(std::size_t chosen, std::size_t length, std::size_t lines);

}  // namespace rhizome::tools
