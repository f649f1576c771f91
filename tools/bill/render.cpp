#include <fmt/core.h>

#include <algorithm>

#include "scenarios/text/json.hpp"
#include "tools/bill/bill.hpp"
#include "tools/compare/layout.hpp"
#include "tools/markup/markdown.hpp"

namespace rhizome::tools {

namespace {

using core::Burden;

std::string number(double value, int digits) { return fmt::format("{:.{}f}", value, digits); }

double over(std::uint64_t count, std::uint64_t parts) {
  return parts == 0 ? 0 : static_cast<double>(count) / static_cast<double>(parts);
}

std::string level_name(const BillLevel& level) {
  const std::string peers = number(level.peers, 1) + " peers";
  return level.depth ? "depth " + std::to_string(*level.depth) + ", " + peers : "outside, " + peers;
}

std::string peer_name(const BillPeer& peer) {
  return "peer " + std::to_string(peer.peer.value) +
         (peer.depth ? ", depth " + std::to_string(*peer.depth) : ", outside") + ", speed " +
         number(peer.speed, 2);
}

std::string conservation_text(const Conservation& sum) {
  std::string text = std::to_string(sum.sent) + " sent";
  if (sum.duplicated > 0) text += " + " + std::to_string(sum.duplicated) + " duplicated";
  text += " = " + std::to_string(sum.received) + " received";
  for (std::size_t i = 0; i < core::drops; ++i)
    if (sum.dropped[i] > 0)
      text += " + " + std::to_string(sum.dropped[i]) + " " +
              std::string(name_of(static_cast<core::Drop>(i)));
  text += " + " + std::to_string(sum.in_flight) + " in flight";
  if (sum.partial) return text + ", without what the lost peers sent and received";
  return text + (sum.balanced() ? "" : ": IT DOES NOT BALANCE");
}

std::string hot_spot_text(const Bill& bill) {
  return "hot spot: the most loaded peer carries " + number(bill.hot_spot, 1) +
         " times what the median peer does";
}

// A part of the bill: shares are of `whole` messages.
struct Line {
  std::string what;
  Burden burden;
};
struct Table {
  std::string title;
  std::uint64_t whole = 0;
  std::vector<Line> lines{};
  std::string part = "per task";  // over which messages and bytes are divided, and their number
  std::uint64_t parts = 0;
};

std::vector<Line> lines_of(const std::vector<BillItem>& items) {
  std::vector<Line> lines;
  for (const BillItem& item : items)
    lines.push_back(
        {std::string(name_of(item.cause)) + " (" + std::string(name_of(item.message_class)) + ")",
         item.sent});
  return lines;
}

std::vector<Table> tables_of(const Bill& bill, std::size_t most) {
  const Table causes{
      .title = "sent, by cause", .whole = bill.total.messages, .lines = lines_of(bill.items)};
  Table classes{.title = "sent, by class", .whole = bill.total.messages};
  for (std::size_t i = 0; i < core::message_classes; ++i)
    classes.lines.push_back(
        {std::string(name_of(static_cast<core::MessageClass>(i))), bill.classes[i]});
  classes.lines.push_back({"all", bill.total});
  Burden carried;
  for (const BillLevel& level : bill.levels) carried += level.carried;
  Table levels{.title = "sent and received, by depth", .whole = carried.messages};
  for (const BillLevel& level : bill.levels)
    levels.lines.push_back({level_name(level), level.carried});
  Table peers{.title = "sent and received, by peer", .whole = carried.messages};
  for (std::size_t i = 0; i < std::min(most, bill.peers.size()); ++i)
    peers.lines.push_back({peer_name(bill.peers[i]), bill.peers[i].carried});
  std::vector<Table> tables{causes, classes, levels, peers};
  if (bill.data > 0)
    tables.insert(tables.begin() + 1, {.title = "to find tasks, by cause",
                                       .whole = bill.total.messages,
                                       .lines = lines_of(bill.for_data),
                                       .part = "per datum",
                                       .parts = bill.data});
  for (Table& table : tables)
    if (table.parts == 0) table.parts = bill.completed;
  return tables;
}

std::vector<std::string> heads_of(const Table& table) {
  return {"messages", "share", table.part, "KiB", "B " + table.part};
}
const Columns columns({{31}, {9, true}, {8, true}, {9, true}, {9, true}, {11, true}}, usual_page);

std::vector<std::string> cells_of(const Line& line, const Table& table) {
  const Burden& burden = line.burden;
  return {std::to_string(burden.messages),
          number(100 * over(burden.messages, table.whole), 1) + " %",
          number(over(burden.messages, table.parts), 2),
          number(static_cast<double>(burden.bytes) / 1024, 1),
          number(over(burden.bytes, table.parts), 1)};
}

Json json_of(const Burden& burden) {
  return {{"messages", burden.messages}, {"bytes", burden.bytes}, {"portions", burden.units}};
}

Json json_of(const std::vector<BillItem>& items) {
  Json list = Json::array();
  for (const BillItem& item : items)
    list.push_back({{"cause", std::string(name_of(item.cause))},
                    {"class", std::string(name_of(item.message_class))},
                    {"sent", json_of(item.sent)}});
  return list;
}

std::string completed_text(const Bill& bill) {
  if (bill.results_known) return std::to_string(bill.completed) + " tasks completed";
  return "how many tasks were completed is not known: the process at which work enters was lost";
}

Json depth_json(const std::optional<std::uint32_t>& depth) {
  return depth ? Json(*depth) : Json(nullptr);
}

}  // namespace

std::string text_of(const Bill& bill, std::size_t most) {
  std::string text = wrapped(completed_text(bill), usual_page, 2);
  for (const Table& table : tables_of(bill, most)) {
    std::vector<std::string> cells{table.title};
    for (const std::string& head : heads_of(table)) cells.push_back(head);
    text += "\n" + columns.row(cells);
    for (const Line& line : table.lines) {
      cells = {"  " + line.what};
      for (const std::string& figure : cells_of(line, table)) cells.push_back(figure);
      text += columns.row(cells);
    }
  }
  text += "\n" + hot_spot_text(bill) + "\n";
  return text + wrapped("conservation: " + conservation_text(bill.conservation), usual_page, 2);
}

std::string markdown_of(const Bill& bill, std::size_t most) {
  std::string text = completed_text(bill) + ".\n";
  for (const Table& table : tables_of(bill, most)) {
    std::vector<std::string> cells{table.title};
    for (const std::string& head : heads_of(table)) cells.push_back(head);
    text += "\n" + markdown_head(cells, 1);
    for (const Line& line : table.lines) {
      cells = {markdown_text(line.what)};
      for (const std::string& figure : cells_of(line, table)) cells.push_back(figure);
      text += markdown_row(cells);
    }
  }
  return text + "\nHot spot: " + hot_spot_text(bill).substr(10) +
         ".\nConservation: " + conservation_text(bill.conservation) + ".\n";
}

// One table: the part of the bill, its subject, and the plain numbers.
std::string csv_of(const Bill& bill) {
  std::string text = "part,of,messages,bytes,portions,messages_per_task,bytes_per_task\n";
  for (const Table& table : tables_of(bill, bill.peers.size()))
    for (const Line& line : table.lines)
      text += '"' + table.title + "\",\"" + line.what + "\"," +
              std::to_string(line.burden.messages) + ',' + std::to_string(line.burden.bytes) + ',' +
              std::to_string(line.burden.units) + ',' +
              number(over(line.burden.messages, bill.completed), 6) + ',' +
              number(over(line.burden.bytes, bill.completed), 6) + '\n';
  return text;
}

std::string json_of(const Bill& bill) {
  Json classes = Json::object();
  for (std::size_t i = 0; i < core::message_classes; ++i)
    classes[std::string(name_of(static_cast<core::MessageClass>(i)))] = json_of(bill.classes[i]);
  Json levels = Json::array();
  for (const BillLevel& level : bill.levels)
    levels.push_back({{"depth", depth_json(level.depth)},
                      {"peers", level.peers},
                      {"carried", json_of(level.carried)}});
  Json peers = Json::array();
  for (const BillPeer& peer : bill.peers)
    peers.push_back({{"peer", peer.peer.value},
                     {"depth", depth_json(peer.depth)},
                     {"speed", peer.speed},
                     {"carried", json_of(peer.carried)}});
  const Conservation& sum = bill.conservation;
  Json dropped = Json::object();
  for (std::size_t i = 0; i < core::drops; ++i)
    if (sum.dropped[i] > 0)
      dropped[std::string(name_of(static_cast<core::Drop>(i)))] = sum.dropped[i];
  return scenarios::text_of(
      Json{{"schema", "rhizome.bill/1"},
           {"completed", bill.results_known ? Json(bill.completed) : Json(nullptr)},
           {"total", json_of(bill.total)},
           {"causes", json_of(bill.items)},
           {"data", {{"count", bill.data}, {"causes", json_of(bill.for_data)}}},
           {"classes", classes},
           {"depths", levels},
           {"peers", peers},
           {"hot_spot", bill.hot_spot},
           {"conservation",
            {{"sent", sum.sent},
             {"duplicated", sum.duplicated},
             {"received", sum.received},
             {"dropped", dropped},
             {"in_flight", sum.in_flight},
             {"balanced", sum.partial ? Json(nullptr) : Json(sum.balanced())}}}});
}

}  // namespace rhizome::tools
