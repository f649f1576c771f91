// What clients hand in during a run: each job where its scheduler lets it enter, and in the end
// that no more will come.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "agents/arrivals.hpp"
#include "agents/client.hpp"
#include "core/engine/engine.hpp"

namespace rhizome::scenarios {

class HandedIn final : public core::InputSource {
 public:
  // Reads on as jobs come. Nothing is handed to who keeps the books before it has joined. In an
  // open run nobody is told that no more will come. Jobs that come while the run goes on are told
  // to `taken`.
  HandedIn(std::unique_ptr<agents::Arrivals> arrivals, agents::Entries entries,
           const std::vector<core::Fault>& faults, bool open = false,
           std::function<void(const agents::Job&)> taken = {});

  [[nodiscard]] std::optional<core::Input> next(core::Time now) override;
  [[nodiscard]] bool awaits() const override { return arrivals_->awaits(); }

 private:
  void take(core::Time now);
  void hand_in(const agents::Job& job);
  void hand_in_parts(const agents::Job& job);
  void hand_in(const agents::Entry& entry, agents::Job part, bool whole);
  void close(core::Time last);
  // When the peer will take an input that comes at that time.
  [[nodiscard]] core::Time taken(core::PeerId peer, core::Time at) const;
  template <class I>
  void add(core::Time at, core::PeerId peer, const I& said) {
    ready_.emplace(at, core::make_input(at, peer, said));
  }

  std::unique_ptr<agents::Arrivals> arrivals_;
  agents::Entries entries_;
  std::map<core::PeerId, core::Time> joins_;
  const bool live_;
  std::function<void(const agents::Job&)> told_;
  std::multimap<core::Time, core::Input> ready_;
  std::optional<agents::Job> coming_;
  core::Time last_{};  // of what was handed in
  bool closed_;
};

}  // namespace rhizome::scenarios
