// A recorder: all that is written down about one peer while it runs. It has a single writer, the
// thread that runs the peer. Vitals and facts may be read meanwhile; all else is read after the
// run, so there are no locks on the way.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "core/peer/burden_table.hpp"
#include "core/peer/fact_log.hpp"
#include "core/peer/line_usage.hpp"
#include "core/peer/packet.hpp"
#include "core/peer/samples.hpp"
#include "core/peer/vitals.hpp"

namespace rhizome::core {

// A message as its receiver saw it: the header says the rest.
struct ReceivedMessage {
  Time at{};
  PacketHeader header;
  std::size_t bytes = 0;
};

// Packets that were not handled, by reason.
using DropCounts = std::array<std::uint64_t, drops>;

struct RecorderOptions {
  Duration period = Duration::zero();  // of samples, at first; zero takes none
  bool messages = false;               // whether every message received is kept
  bool details = false;                // whether facts are, that are noted on request only
};

class Recorder {
 public:
  explicit Recorder(RecorderOptions options = {}) : options_(options), samples_(options.period) {}

  void sent(Time now, const PacketHeader& header, std::size_t bytes);
  // A link made a second copy of something sent.
  void duplicated() { vitals_.duplicated.add(1); }
  void received(Time now, const PacketHeader& header, std::size_t bytes) {
    vitals_.received.add(1);
    vitals_.received_bytes.add(bytes);
    burdens_.received(header, bytes);
    if (options_.messages) messages_.push_back({now, header, bytes});
  }
  // A packet that was sent ended here without being handled.
  void dropped(Drop why) { vitals_.dropped[static_cast<std::size_t>(why)].add(1); }
  // A packet was still under way when the run ended.
  void in_flight(std::uint64_t packets) { in_flight_ += packets; }
  void note(Time now, const EncodedFact& fact) { facts_.add(now, fact); }
  // Prefetches for an event, which mostly sends a packet and notes a fact; and for such a packet.
  void prefetch() const {
    samples_.prefetch();
    facts_.prefetch();
  }
  void prefetch(const PacketHeader& header) const { burdens_.prefetch(header); }
  // Records the traffic of the access line in the whole run.
  void line(const LineUsage& usage) { line_ = usage; }
  // What the host and the thread of the peer write by themselves.
  [[nodiscard]] Vitals& vitals() { return vitals_; }

  // May be called from any thread.
  [[nodiscard]] const Vitals& vitals() const { return vitals_; }
  [[nodiscard]] const FactLog& facts() const { return facts_; }

  [[nodiscard]] const BurdenTable& burdens() const { return burdens_; }
  [[nodiscard]] std::uint64_t sent_count() const { return vitals_.all_sent(); }
  [[nodiscard]] std::uint64_t received_count() const { return vitals_.received.get(); }
  [[nodiscard]] std::uint64_t duplicated_count() const { return vitals_.duplicated.get(); }
  [[nodiscard]] std::uint64_t in_flight_count() const { return in_flight_; }
  [[nodiscard]] DropCounts drop_counts() const;
  [[nodiscard]] std::uint64_t dropped_count() const { return vitals_.all_dropped(); }
  // Nothing where no line limits the peer.
  [[nodiscard]] const std::optional<LineUsage>& line() const { return line_; }
  // The received messages in the order of their receipt; empty unless they are kept.
  [[nodiscard]] const std::vector<ReceivedMessage>& messages() const { return messages_; }
  [[nodiscard]] const Samples& samples() const { return samples_; }

 private:
  // All fields but the facts, whose types are known only to the program that reads them.
  friend struct Fields;
  template <class Self>
  static auto fields(Self& self) {
    return std::tie(self.options_, self.vitals_, self.burdens_, self.in_flight_, self.line_,
                    self.samples_, self.messages_);
  }

  RecorderOptions options_;
  Vitals vitals_;
  BurdenTable burdens_;
  std::uint64_t in_flight_ = 0;
  FactLog facts_;
  std::optional<LineUsage> line_;
  Samples samples_;
  std::vector<ReceivedMessage> messages_;
};

}  // namespace rhizome::core
