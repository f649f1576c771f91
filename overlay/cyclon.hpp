// Cyclon with the enhanced shuffle (Voulgaris, Gavidia and van Steen, J. Network and Systems
// Management 13, 2005): every peer keeps a few links, and swaps some of them with the peer of its
// oldest link.
#pragma once

#include <cstdint>
#include <vector>

#include "core/peer/env.hpp"
#include "core/peer/state_dump.hpp"
#include "core/peer/views.hpp"
#include "overlay/descriptor.hpp"
#include "overlay/neighbours.hpp"

namespace rhizome::overlay {

// Which of two descriptors of one peer stays: the one in the view (Cyclon), or the younger one (the
// Sparrow course report, whose descriptors carry adverts).
enum class Duplicates : std::uint8_t { discard, keep_younger, last = keep_younger };

struct CyclonOptions {
  std::uint32_t view = 10;    // links
  std::uint32_t shuffle = 5;  // links swapped at once, the one to itself included
  core::Duration period = std::chrono::milliseconds(250);  // 0: never, the seeds stay
  Duplicates duplicates = Duplicates::discard;
  bool asks_seeds = false;            // asks when most links have gone unanswered; not of the paper
  std::uint32_t peers = any_address;  // in the world; links to higher addresses are not believed
};

struct Shuffle {
  static constexpr core::MessageInfo info{"shuffle", core::MessageClass::information,
                                          core::Cause::maintenance};
  std::vector<Descriptor> sample;
};
struct ShuffleReply {
  static constexpr core::MessageInfo info{"shuffle-reply", core::MessageClass::information,
                                          core::Cause::maintenance};
  std::vector<Descriptor> sample;
};
struct ShuffleDue {};

// A link leaves the view when its peer is asked, so that peers that do not answer vanish from
// views. But a peer that has asked all its links in vain, such as one that was cut off for a while,
// stays alone unless it asks its seeds now and then.
class Cyclon {
 public:
  using Messages = core::OneOf<Shuffle, ShuffleReply>;
  using Env = core::Env<Messages, core::OneOf<ShuffleDue>>;
  static constexpr std::string_view name = "cyclon";
  static constexpr bool perpetual = true;
  static constexpr core::ViewKind view_kind = core::ViewKind::random;

  // Begins with `view` of the seeds, drawn by chance.
  Cyclon(const CyclonOptions& options, Neighbours seeds) : options_(options), seeds_(seeds) {}

  // Fills the view. The first shuffle comes after a random part of the period, so that peers are
  // out of step.
  void start(Env& env);
  void on(Env& env, const ShuffleDue& due);
  void on(Env& env, PeerId from, const Shuffle& message);
  void on(Env& env, PeerId from, const ShuffleReply& message);

  [[nodiscard]] const std::vector<Descriptor>& view() const { return view_; }
  // Sets the advert in descriptors of this peer from now on; none before.
  void advertise(const Advert& advert) { advert_ = advert; }
  [[nodiscard]] Descriptor describe(PeerId self, core::Time now) const {
    return {.peer = self, .age = 0, .taken = now, .advert = advert_};
  }
  [[nodiscard]] std::uint64_t shuffles() const { return shuffles_; }  // begun here

  // All state but the number of shuffles, on which nothing depends.
  void dump_state(core::StateDump& dump) const {
    dump.tell("view", view_);
    dump.tell("partner", partner_);
    dump.tell("sent_away", sent_away_);
    dump.tell("asked", asked_);
    dump.tell("advert", advert_);
  }

 private:
  [[nodiscard]] std::vector<Descriptor> draw(core::Rng& rng, std::size_t links) const;
  [[nodiscard]] PeerId take_partner(core::Rng& rng);
  void merge(const Env& env, const std::vector<Descriptor>& received,
             std::vector<PeerId> sent_away);

  CyclonOptions options_;
  Advert advert_;
  Neighbours seeds_;
  std::vector<PeerId> asked_;  // the seeds that are asked when all links are silent
  std::vector<Descriptor> view_;
  PeerId partner_ = core::no_peer;  // of the shuffle under way
  std::vector<PeerId> sent_away_;   // in that shuffle
  std::uint64_t shuffles_ = 0;
};

}  // namespace rhizome::overlay
