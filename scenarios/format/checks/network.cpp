#include "scenarios/format/checks/checks.hpp"

#include "core/engine/catalogue.hpp"
#include "scenarios/text/peer_list.hpp"
#include "scenarios/world/network/latencies.hpp"

namespace rhizome::scenarios {

namespace {

class NetworkChecks {
 public:
  NetworkChecks(const Written& written, const Scenario& scenario)
      : written_(written),
        network_(scenario.network),
        peers_(scenario.peers.count),
        in_real_time_(core::engine_of(scenario.engine.kind).real_time) {}

  void run() const {
    check_latency();
    check_bandwidth("bandwidth_up", network_.bandwidth_up, network_.bandwidth_up_max);
    check_bandwidth("bandwidth_down", network_.bandwidth_down, network_.bandwidth_down_max);
    if (network_.bandwidth_by_speed && network_.bandwidth_up == core::Rate{} &&
        network_.bandwidth_down == core::Rate{})
      refuse(written_.where("network", "bandwidth_by_speed"),
             "\"bandwidth_by_speed\" has no effect without a bandwidth");
    for (std::size_t i = 0; i < network_.partitions.size(); ++i) check_partition(i);
  }

 private:
  void check_latency() const {
    const LatencyModel& model = latency_model(network_.latency);
    if (model.between_processes) check_machines();
    if (!model.complaint) return;
    if (const auto complaint = model.complaint(network_))
      refuse(written_.where("network", to_blame(complaint->keys)), complaint->text);
  }

  void check_machines() const {
    const std::uint32_t machines = machines_of(network_);
    if (machines > peers_)
      refuse(written_.where("network", "machines"),
             std::to_string(machines) + " machines are more than there are peers");
    if (machines > 1) return;
    if (!in_real_time_)
      refuse(written_.where("network", "latency"),
             "\"latency\" is that of the network between processes, which virtual time does not "
             "have: say how many \"machines\" stand for them, and the \"delay\" between any two");
    if (written_.find("network", "delay") != nullptr)
      refuse(
          written_.where("network", "delay"),
          "\"delay\" has no effect without \"machines\", between which it is emulated where there "
          "is no network between processes");
  }

  void check_partition(std::size_t i) const {
    const PartitionSection& partition = network_.partitions[i];
    const std::string section = "network.partition#" + std::to_string(i);
    written_.in_order(partition.from < partition.until, section, "from", "until");
    if (written_.find(section, "peers") == nullptr) return;
    if (written_.find(section, "share") != nullptr)
      refuse(written_.where(section, "share"), "\"share\" has no effect where \"peers\" are named");
    const auto peers = parse_peers(partition.peers);
    if (!peers)
      refuse(written_.where(section, "peers"),
             "\"peers\" must be numbers and ranges such as \"3,4,9..12\"");
    for (const core::PeerId peer : *peers)
      if (peer.value >= peers_)
        refuse(written_.where(section, "peers"), "there is no peer " + std::to_string(peer.value) +
                                                     ": they count from 0 to " +
                                                     std::to_string(peers_ - 1));
  }

  // The first that is written, or the last.
  [[nodiscard]] std::string to_blame(const std::vector<std::string>& keys) const {
    for (const std::string& key : keys)
      if (written_.find("network", key) != nullptr) return key;
    return keys.back();
  }

  void check_bandwidth(const std::string& key, core::Rate least, core::Rate most) const {
    const std::string range = key + "_max";
    if (least == core::Rate{} && written_.find("network", range) != nullptr)
      refuse(written_.where("network", range),
             "\"" + range + "\" has no effect without \"" + key + "\"");
    written_.in_order(most == core::Rate{} || least <= most, "network", key, range);
  }

  const Written& written_;
  const NetworkSection& network_;
  const std::uint32_t peers_;
  const bool in_real_time_;
};

}  // namespace

void check_network(const Written& written, Scenario& scenario) {
  NetworkChecks(written, scenario).run();
}

}  // namespace rhizome::scenarios
