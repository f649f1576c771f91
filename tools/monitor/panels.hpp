// Panels: the parts that screens are put together from. Each is given its first line, and those
// with lists also the line before which they end; those that choose their height return the line
// after.
#pragma once

#include <cstddef>

#include "tools/monitor/screens.hpp"

namespace rhizome::tools {

struct Panel {
  const scenarios::live::State& state;  // which knows a run
  const scenarios::live::Welcome& welcome;
  const View& view;
};

// Which run it is, how far and how well it goes: three lines.
std::size_t put_header(Grid& grid, const Panel& panel);
// Messages by class over time.
std::size_t put_messages(Grid& grid, const Panel& panel, std::size_t line);
// A mark for each peer, or for several, by the messages of the busiest; so many lines of them.
std::size_t put_burden(Grid& grid, const Panel& panel, std::size_t line, std::size_t most);
void put_peers(Grid& grid, const Panel& panel, std::size_t line, std::size_t end);
void put_events(Grid& grid, const Panel& panel, std::size_t line, std::size_t end);

}  // namespace rhizome::tools
