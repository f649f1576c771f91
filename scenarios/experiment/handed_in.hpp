// The inputs of clients during a run: each job at the peer where its scheduler lets it enter, and
// at the end the notice that no more jobs will come.
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
  // Reads jobs from `arrivals` as they come. A peer that keeps the books of jobs gets no input
  // before it has joined. In an open run no peer is told that no more jobs will come. `taken` is
  // called with each job that arrives while the run goes on.
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
  // When the peer takes an input due at that time: at once, or when it joins.
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
  core::Time last_{};  // the arrival of the latest job that was handed in
  bool closed_;
};

}  // namespace rhizome::scenarios
