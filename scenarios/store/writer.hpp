// Outcomes into the tables of the results store.
#pragma once

#include <cstddef>
#include <string>

#include "scenarios/outcome/outcome.hpp"
#include "scenarios/store/database.hpp"
#include "scenarios/store/insert.hpp"

namespace rhizome::scenarios {

class OutcomeWriter {
 public:
  explicit OutcomeWriter(const Database& database);
  // All rows of an outcome; the caller holds the transaction.
  void write(std::size_t run, const Outcome& outcome);

 private:
  [[nodiscard]] Insert many(const std::string& table, std::size_t rows) const;
  void write_run(std::size_t run, const Outcome& outcome);
  void write_metrics(std::size_t run, const Outcome& outcome);
  void write_peers(std::size_t run, const Outcome& outcome);
  void write_channel(std::size_t run, core::PeerId peer, const char* direction,
                     const core::ChannelUsage& usage);
  void write_work(std::size_t run, const Outcome& outcome);
  void write_events(std::size_t run, const Outcome& outcome);
  void write_measures(std::size_t run, const Outcome& outcome);

  const Database& database_;
  Statement run_;
  Statement cell_;
  Statement metric_;
  Statement kind_;
  Statement peer_;
  Statement burden_;
  Statement drop_;
  Statement line_;
  Statement job_;
  Statement fault_;
  Statement sample_;
  Statement histogram_;
  Statement bucket_;
  Statement violation_;
  Statement judged_;
  Statement cut_;
  Statement stall_;
  Statement loss_;
  Statement lost_peer_;
};

}  // namespace rhizome::scenarios
