#include "scenarios/format/checks/network.hpp"

#include "scenarios/format/checks/written.hpp"
#include "scenarios/world/network/latencies.hpp"

namespace rhizome::scenarios {

namespace {

class NetworkChecks {
 public:
  NetworkChecks(Written written, const NetworkSection& network)
      : written_(written), network_(network) {}

  void run() const {
    check_latency();
    check_bandwidth("bandwidth_up", network_.bandwidth_up, network_.bandwidth_up_max);
    check_bandwidth("bandwidth_down", network_.bandwidth_down, network_.bandwidth_down_max);
    if (network_.bandwidth_by_speed && network_.bandwidth_up == core::Rate{} &&
        network_.bandwidth_down == core::Rate{})
      refuse(written_.where("network", "bandwidth_by_speed"),
             "\"bandwidth_by_speed\" has no effect without a bandwidth");
    for (std::size_t i = 0; i < network_.partitions.size(); ++i)
      written_.in_order(network_.partitions[i].from < network_.partitions[i].until,
                        "network.partition#" + std::to_string(i), "from", "until");
  }

 private:
  void check_latency() const {
    const LatencyModel& model = latency_model(network_.latency);
    if (!model.complaint) return;
    if (const auto complaint = model.complaint(network_))
      refuse(written_.where("network", to_blame(complaint->keys)), complaint->text);
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

  const Written written_;
  const NetworkSection& network_;
};

}  // namespace

void check_network(const Document& document, const std::string& name, const Scenario& scenario) {
  NetworkChecks({document, name}, scenario.network).run();
}

}  // namespace rhizome::scenarios
