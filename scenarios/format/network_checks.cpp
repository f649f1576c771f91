#include "scenarios/format/network_checks.hpp"

#include "scenarios/world/network/latencies.hpp"

namespace rhizome::scenarios {

namespace {

class NetworkChecks {
 public:
  NetworkChecks(const Document& document, const std::string& name, const NetworkSection& network)
      : document_(document), name_(name), network_(network) {}

  void run() const {
    check_latency();
    check_bandwidth("bandwidth_up", network_.bandwidth_up, network_.bandwidth_up_max);
    check_bandwidth("bandwidth_down", network_.bandwidth_down, network_.bandwidth_down_max);
    if (network_.bandwidth_by_speed && network_.bandwidth_up == core::Rate{} &&
        network_.bandwidth_down == core::Rate{})
      refuse(where("network", "bandwidth_by_speed"),
             "\"bandwidth_by_speed\" has no effect without a bandwidth");
    for (std::size_t i = 0; i < network_.partitions.size(); ++i)
      check_order(network_.partitions[i].from < network_.partitions[i].until,
                  "network.partition#" + std::to_string(i), "from", "until");
  }

 private:
  void check_latency() const {
    const LatencyModel& model = latency_model(network_.latency);
    if (!model.complaint) return;
    if (const auto complaint = model.complaint(network_))
      refuse(where("network", to_blame(complaint->keys)), complaint->text);
  }

  // The first that is written, or the last.
  [[nodiscard]] std::string to_blame(const std::vector<std::string>& keys) const {
    for (const std::string& key : keys)
      if (document_.find("network", key) != nullptr) return key;
    return keys.back();
  }

  void check_bandwidth(const std::string& key, core::Rate least, core::Rate most) const {
    const std::string range = key + "_max";
    if (least == core::Rate{} && document_.find("network", range) != nullptr)
      refuse(where("network", range), "\"" + range + "\" has no effect without \"" + key + "\"");
    check_order(most == core::Rate{} || least <= most, "network", key, range);
  }

  void check_order(bool fine, const std::string& section, const std::string& low,
                   const std::string& high) const {
    if (fine) return;
    const bool high_written = document_.find(section, high) != nullptr;
    refuse(where(section, high_written ? high : low), "\"" + high + "\" is below \"" + low + "\"");
  }
  [[nodiscard]] Position where(const std::string& section, const std::string& key) const {
    const Entry* entry = document_.find(section, key);
    return entry != nullptr ? entry->at : Position{name_, 1, 1};
  }

  const Document& document_;
  const std::string& name_;
  const NetworkSection& network_;
};

}  // namespace

void check_network(const Document& document, const std::string& name, const Scenario& scenario) {
  NetworkChecks(document, name, scenario.network).run();
}

}  // namespace rhizome::scenarios
