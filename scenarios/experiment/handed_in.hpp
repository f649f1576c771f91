// What clients hand in during a run: each job where its scheduler lets it enter, and in the end
// that no more will come.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "agents/client.hpp"
#include "core/engine/engine.hpp"

namespace rhizome::scenarios {

class HandedIn final : public core::InputSource {
 public:
  // The workload outlives it. Nothing is handed to who keeps the books before it has joined. In an
  // open run nobody is told that no more will come.
  HandedIn(const agents::Workload& workload, agents::Entries entries,
           const std::vector<core::Fault>& faults, bool open = false);

  [[nodiscard]] std::optional<core::Input> next() override;

 private:
  void hand_in(const agents::Job& job);
  void hand_in(const agents::Entry& entry, agents::Job part, bool whole);
  static void refuse_graph(const agents::Job& job);
  void close(core::Time last);
  // When the peer will take an input that comes at that time.
  [[nodiscard]] core::Time taken(core::PeerId peer, core::Time at) const;
  template <class I>
  void add(core::Time at, core::PeerId peer, const I& said) {
    ready_.emplace(at, core::make_input(at, peer, said));
  }

  const agents::Workload& workload_;
  agents::Entries entries_;
  std::map<core::PeerId, core::Time> joins_;
  std::multimap<core::Time, core::Input> ready_;
  std::size_t next_ = 0;  // job
  bool closed_;
};

}  // namespace rhizome::scenarios
