// How a node finds a task that has been out for long. A slow task is not lost: the root, which
// answers for all tasks, asks along the way that the task went. Each node knows what became of a
// task that came to it: it is here, or was passed to another node, which is asked next. The root
// hands a task out again only if no node has it, or if a node on its way does not answer.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "agents/organic_grid/tree/downstream.hpp"
#include "agents/organic_grid/tree/forwarding.hpp"
#include "agents/organic_grid/tree/lineage.hpp"
#include "agents/organic_grid/tree/stock.hpp"
#include "agents/organic_grid/tree/trail.hpp"
#include "agents/organic_grid/tree/upstream.hpp"
#include "agents/organic_grid/tree/window.hpp"

namespace rhizome::agents::grid {

class Inquiries {
 public:
  using Messages = core::OneOf<Inquiry, InquiryReply>;

  struct Parts {
    Stock& stock;
    Upstream& up;
    const Downstream& down;
    const Trail& trail;
    const Forwarding& forwarding;
    Window& window;
  };

  Inquiries(const Lineage& lineage, const Home& home, const Parts& parts)
      : lineage_(lineage), home_(home), parts_(parts) {}

  // Called every heartbeat at the root: asks for tasks that have been out for too long if no other
  // task is left to hand out and `hands` are free.
  void tick(Env& env, std::uint64_t hands);

  void on(Env& env, PeerId from, const Inquiry& message);
  void on(Env& env, PeerId from, const InquiryReply& message);

 private:
  // A task that is looked for.
  struct Doubt {
    Time lent{};                 // the loan that it is about
    PeerId at;                   // the node that is asked now
    PeerId end = core::no_peer;  // where the way ended before, so that it is gone once more
    bool silent = false;         // for there was no answer
    std::uint64_t number = 0;    // of the first question to the node that is asked now
    Time since{};                // time of that question
    Time next{};                 // when it is asked again
    std::uint32_t steps = 0;     // peers that were asked
  };

  [[nodiscard]] Whereabouts place_of(const Env& env, TaskId task) const;
  void drop_settled();
  void give_up_silent(Env& env);
  void begin(Env& env);
  void ask(Env& env);
  void turn_to(Env& env, Doubt& doubt, PeerId peer) const;
  // Takes an answer about a task; true if the search for it is over.
  bool follow(Env& env, Doubt& doubt, const Whereabouts& found);
  bool go_on(Env& env, Doubt& doubt, PeerId to) const;
  bool dead_end(Env& env, TaskId task, Doubt& doubt, bool silent);
  bool lost(Env& env, TaskId task, PeerId holder, std::string_view reason);

  const Lineage& lineage_;
  const Home& home_;
  const Parts parts_;
  std::map<TaskId, Doubt> doubts_;
  std::uint64_t number_ = 0;
  std::uint64_t hands_ = 0;
};

}  // namespace rhizome::agents::grid
