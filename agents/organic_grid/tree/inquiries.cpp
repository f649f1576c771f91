#include "agents/organic_grid/tree/inquiries.hpp"

#include <utility>

#include "agents/pieces.hpp"

namespace rhizome::agents::grid {

// A node's answer is exact: a task not yet confirmed to the node before is known there, and a node
// reports a task as passed on only after the receiver has confirmed it. So in a live tree the way
// leads to the task, however it moves meanwhile.
Whereabouts Inquiries::place_of(const Env& env, TaskId task) const {
  const auto here = [task](Place place) { return Whereabouts{task, place, core::no_peer}; };
  if (parts_.up.holds(task)) return here(Place::done);
  if (parts_.stock.waits(task)) return here(Place::waiting);
  if (const Books::Entry* entry = parts_.stock.lent(task)) {
    if (entry->borrower.peer == env.self()) return here(Place::running);
    if (parts_.down.carries(entry->borrower, task)) return here(Place::waiting);
    return {task, Place::passed, entry->borrower.peer};
  }
  if (const auto to = parts_.trail.to(task)) return {task, Place::passed, *to};
  return here(Place::unknown);
}

void Inquiries::on(Env& env, PeerId from, const Inquiry& message) {
  if (from != lineage_.root() || lineage_.is_root()) return;
  std::vector<Whereabouts> list;
  std::uint64_t wanted = message.wanted;
  for (const TaskId task : message.tasks) {
    if (wanted > 0 && parts_.stock.waits(task)) {
      parts_.stock.give_back(task);
      parts_.window.close();
      parts_.up.want_no_more(env);
      --wanted;
    }
    list.push_back(place_of(env, task));
  }
  in_pieces(list, [&](std::size_t, std::vector<Whereabouts> piece) {
    env.send(from, InquiryReply{message.root, message.number, std::move(piece)});
  });
}

void Inquiries::tick(Env& env, std::uint64_t hands) {
  if (!lineage_.is_root()) return;
  hands_ = hands;
  drop_settled();
  give_up_silent(env);
  if (hands > 0 && parts_.stock.empty()) begin(env);
  ask(env);
}

// The result has come, or the task has come back another way and was lent again.
void Inquiries::drop_settled() {
  std::erase_if(doubts_, [this](const auto& item) {
    const Books::Entry* entry = parts_.stock.lent(item.first);
    return entry == nullptr || entry->since != item.second.lent;
  });
}

// A peer that is silent for two time-outs, though it was asked repeatedly, is dead.
void Inquiries::give_up_silent(Env& env) {
  for (auto item = doubts_.begin(); item != doubts_.end();) {
    const bool silent = env.now() - item->second.since > 2 * home_.options.timeout;
    const bool over = silent && dead_end(env, item->first, item->second, true);
    item = over ? doubts_.erase(item) : std::next(item);
  }
}

void Inquiries::begin(Env& env) {
  for (const Books::Entry& entry : parts_.stock.doubtful(env)) {
    if (parts_.down.carries(entry.borrower, entry.task.id)) continue;
    const auto [item, fresh] = doubts_.try_emplace(entry.task.id);
    if (!fresh) continue;
    item->second.lent = entry.since;
    turn_to(env, item->second, entry.borrower.peer);
  }
}

void Inquiries::turn_to(Env& env, Doubt& doubt, PeerId peer) const {
  doubt.at = peer;
  doubt.number = number_ + 1;
  doubt.since = doubt.next = env.now();
  ++doubt.steps;
}

// All questions to a peer that are due, in one; each again after twice as long.
void Inquiries::ask(Env& env) {
  std::map<PeerId, std::vector<TaskId>> due;
  for (auto& [task, doubt] : doubts_) {
    if (env.now() < doubt.next) continue;
    due[doubt.at].push_back(task);
    doubt.next = env.now() + (env.now() - doubt.since) + home_.options.heartbeat();
  }
  if (due.empty()) return;
  ++number_;
  for (const auto& [peer, tasks] : due)
    in_pieces(tasks, [&, to = peer](std::size_t, std::vector<TaskId> piece) {
      env.send(to, Inquiry{lineage_.root(), number_, hands_, std::move(piece)});
    });
}

void Inquiries::on(Env& env, PeerId from, const InquiryReply& message) {
  if (!lineage_.is_root()) return;
  drop_settled();
  for (const Whereabouts& found : message.list) {
    const auto item = doubts_.find(found.task);
    if (item == doubts_.end()) continue;
    Doubt& doubt = item->second;
    const bool answers = doubt.at == from && message.number >= doubt.number;
    if (answers && follow(env, doubt, found)) doubts_.erase(item);
  }
  ask(env);
}

bool Inquiries::follow(Env& env, Doubt& doubt, const Whereabouts& found) {
  if (found.place == Place::unknown) return dead_end(env, found.task, doubt, false);
  if (found.place != Place::passed) return true;  // it lives, and may be asked for again
  if (found.to == env.self()) {
    const Task task = parts_.stock.lent(found.task)->task;
    parts_.stock.put_back(task);
    return true;
  }
  if (found.to == doubt.end && doubt.silent) return lost(env, found.task, found.to, "silent");
  return go_on(env, doubt, found.to);
}

// Peers that name each other in a circle do so because the task moves among them.
bool Inquiries::go_on(Env& env, Doubt& doubt, PeerId to) const {
  if (!home_.exists(to) || doubt.steps > 2 * home_.peers) return true;
  turn_to(env, doubt, to);
  return false;
}

// If the node has left, the peer to which it passed the task is asked next, even if the node has
// come back: in its present life it would have answered for the task. Otherwise the search may have
// missed the task: its result may have gone back to a lender that was asked earlier, or a lender
// may have heard of a death and handed the task to another peer. So the search begins again, and
// the task is lost only if it ends at the same peer once more.
bool Inquiries::dead_end(Env& env, TaskId task, Doubt& doubt, bool silent) {
  const Books::Borrower& first = parts_.stock.lent(task)->borrower;
  if (parts_.down.carries(first, task)) return true;
  if (const auto to = parts_.forwarding.address(task, doubt.at)) return go_on(env, doubt, *to);
  if (doubt.at == first.peer || doubt.at == doubt.end)
    return lost(env, task, doubt.at, silent ? "silent" : "no peer has it");
  doubt.end = doubt.at;
  doubt.silent = silent;
  turn_to(env, doubt, first.peer);
  return false;
}

bool Inquiries::lost(Env& env, TaskId task, PeerId holder, std::string_view reason) {
  parts_.stock.miss(env, task, holder, reason);
  return true;
}

}  // namespace rhizome::agents::grid
