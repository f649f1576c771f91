#include <algorithm>
#include <array>
#include <cstdio>

#include "scenarios/bill/bill.hpp"
#include "scenarios/compare/wording.hpp"
#include "scenarios/json.hpp"

namespace rhizome::scenarios {

namespace {

using core::Burden;

std::string number(double value, int digits) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

double over(std::uint64_t count, std::uint64_t parts) {
  return parts == 0 ? 0 : static_cast<double>(count) / static_cast<double>(parts);
}

// Right-aligned.
std::string column(const std::string& text, std::size_t width) {
  return text.size() >= width ? text : std::string(width - text.size(), ' ') + text;
}

std::string head(const std::string& what) {
  return fitted(what, 34) + column("messages", 10) + column("share", 8) + column("a task", 9) +
         column("KiB", 10) + "\n";
}

std::string line(const std::string& what, const Burden& burden, const Bill& bill,
                 std::uint64_t whole) {
  return fitted("  " + what, 34) + column(std::to_string(burden.messages), 10) +
         column(number(100 * over(burden.messages, whole), 1) + " %", 8) +
         column(number(over(burden.messages, bill.completed), 2), 9) +
         column(number(static_cast<double>(burden.bytes) / 1024, 1), 10) + "\n";
}

std::string level_name(const BillLevel& level) {
  const std::string peers = std::to_string(level.peers) + (level.peers == 1 ? " peer" : " peers");
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
  return text + " + " + std::to_string(sum.in_flight) + " in flight" +
         (sum.balanced() ? "" : ": IT DOES NOT BALANCE");
}

Json json_of(const Burden& burden) {
  return {{"messages", burden.messages}, {"bytes", burden.bytes}, {"portions", burden.units}};
}

Json depth_json(const std::optional<std::uint32_t>& depth) {
  return depth ? Json(*depth) : Json(nullptr);
}

}  // namespace

std::string text_of(const Bill& bill, std::size_t most) {
  std::string text = std::to_string(bill.completed) + " tasks completed\n\n";
  text += head("sent, by cause");
  for (const BillItem& item : bill.items)
    text += line(
        std::string(name_of(item.cause)) + " (" + std::string(name_of(item.message_class)) + ")",
        item.sent, bill, bill.total.messages);
  text += line("all", bill.total, bill, bill.total.messages);
  Burden carried;
  for (const BillLevel& level : bill.levels) carried += level.carried;
  text += "\n" + head("sent and received, by depth");
  for (const BillLevel& level : bill.levels)
    text += line(level_name(level), level.carried, bill, carried.messages);
  text += "\n" + head("sent and received, by peer");
  for (std::size_t i = 0; i < std::min(most, bill.peers.size()); ++i)
    text += line(peer_name(bill.peers[i]), bill.peers[i].carried, bill, carried.messages);
  text += "\nhot spot: the most loaded peer carries " + number(bill.hot_spot, 1) +
          " times what the median peer does\n";
  return text + "conservation: " + conservation_text(bill.conservation) + "\n";
}

std::string json_of(const Bill& bill) {
  Json items = Json::array();
  for (const BillItem& item : bill.items)
    items.push_back({{"cause", std::string(name_of(item.cause))},
                     {"class", std::string(name_of(item.message_class))},
                     {"sent", json_of(item.sent)}});
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
  return text_of(Json{{"schema", "rhizome.bill/1"},
                      {"completed", bill.completed},
                      {"total", json_of(bill.total)},
                      {"causes", items},
                      {"depths", levels},
                      {"peers", peers},
                      {"hot_spot", bill.hot_spot},
                      {"conservation",
                       {{"sent", sum.sent},
                        {"duplicated", sum.duplicated},
                        {"received", sum.received},
                        {"dropped", dropped},
                        {"in_flight", sum.in_flight},
                        {"balanced", sum.balanced()}}}});
}

}  // namespace rhizome::scenarios
