#include "agents/files/file_stager.hpp"

#include <algorithm>
#include <utility>

#include "agents/possible.hpp"

namespace rhizome::agents::files {

bool FileStager::likely(const FileRef& file) const {
  return file.size > 0 && file.size <= options_.largest && file.home.value < world_.peers();
}

bool FileStager::believes(PeerId from, const DoYouNeed& message) const {
  return from.value < world_.peers() && message.files.size() <= core::Recipe::most_files &&
         std::all_of(message.files.begin(), message.files.end(),
                     [this](const FileRef& file) { return likely(file); });
}

bool FileStager::believes(PeerId from, const IHave& message) const {
  return from.value < world_.peers() && message.names.size() <= core::Recipe::most_files &&
         message.left_by.size() <= core::Recipe::most_files;
}

bool FileStager::believes(PeerId from, const INeed& message) const {
  const std::uint32_t chunks = chunks_of(message.file.size, options_.chunk);
  return from.value < world_.peers() && likely(message.file) &&
         message.chunks.size() <= widest_window &&
         std::all_of(message.chunks.begin(), message.chunks.end(),
                     [chunks](std::uint32_t number) { return number < chunks; });
}

bool FileStager::believes(PeerId from, const NotHere&) const { return from.value < world_.peers(); }

bool FileStager::believes(PeerId from, const Contents& message) const {
  return from.value < world_.peers() &&
         message.index.size() <= chunks_of(options_.largest, options_.chunk);
}

bool FileStager::believes(PeerId from, const Chunk& message) const {
  return from.value < world_.peers() && message.bytes.size() <= options_.chunk;
}

bool FileStager::here(const FileRef& file) const {
  return file.home == self_ || cache_.has(file.name);
}

bool FileStager::here(const core::Cargo& cargo) const {
  return std::all_of(cargo.inputs.begin(), cargo.inputs.end(),
                     [this](const FileRef& file) { return here(file); });
}

void FileStager::pin(const core::Cargo& cargo) {
  for (const FileRef& file : cargo.inputs) cache_.pin(file.name);
}

void FileStager::unpin(const core::Cargo& cargo) {
  for (const FileRef& file : cargo.inputs) cache_.unpin(file.name);
}

// Forgets a task that has begun, or moved on.
void FileStager::forget(std::uint64_t subject) {
  const auto found = waiting_.find(subject);
  if (found == waiting_.end()) return;
  unpin(found->second);
  waiting_.erase(found);
}

// The peer that hands a job in brings its files along.
void FileStager::on(Env&, const JobArrives& arrival) {
  for (const Task& task : arrival.job.portions) {
    const core::Cargo* cargo = task.recipe.cargo();
    if (cargo == nullptr) continue;
    if (waiting_.try_emplace(cargo->subject, *cargo).second) pin(*cargo);
    for (const FileRef& file : cargo->inputs)
      if (!here(file)) cache_.put(file, make_index(file.content, file.size, options_.chunk));
  }
}

void FileStager::on(Env& env, const core::CargoCame& came) {
  const core::Cargo& cargo = came.cargo;
  if (waiting_.try_emplace(cargo.subject, cargo).second) pin(cargo);
  std::uint32_t count = 0;
  for (const FileRef& file : cargo.inputs) {
    if (here(file)) {
      ++count;
      static_cast<void>(cache_.use(file.name));
    } else {
      fetch(env, file, came.from);
    }
  }
  if (!cargo.inputs.empty())
    env.note(FilesWanted{task_of(cargo.subject), static_cast<std::uint32_t>(cargo.inputs.size()),
                         count});
}

// One transfer for each file, however many tasks need it and peers offer it.
void FileStager::fetch(Env& env, const FileRef& file, PeerId from) {
  const auto [item, fresh] = fetches_.try_emplace(
      file.name, Coming{.fetch = {file, options_, env.now(), patience_}, .heard = env.now()});
  Coming& coming = item->second;
  for (const PeerId holder : {from, file.home})
    if (holder != self_ && holder != core::no_peer) coming.fetch.add_holder(holder);
  if (!fresh) return;
  ask(env, coming);
  arm(env, coming);
}

void FileStager::ask(Env& env, Coming& coming) {
  Fetch& fetch = coming.fetch;
  const std::vector<std::uint32_t> chunks = fetch.wanted(env.now());
  if (fetch.indexed() && chunks.empty()) return;
  env.send(fetch.holder(), INeed{fetch.file(), chunks},
           fetch.tries() > 0 ? Cause::recovery : INeed::info.cause);
}

// The peer that offers a file lives; peers that were asked in vain may not.
void FileStager::ask_again(Env& env, Coming& coming, PeerId holder) {
  if (coming.fetch.tries() == 0) return;
  coming.fetch.turn_to(holder);
  ask(env, coming);
  arm(env, coming);
}

void FileStager::arm(Env& env, Coming& coming) {
  env.cancel(coming.stall);
  coming.stall = env.after(coming.fetch.patience(), StallDue{coming.fetch.file().name});
}

void FileStager::on(Env& env, const StallDue& due) {
  const auto found = fetches_.find(due.name);
  if (found == fetches_.end()) return;
  Coming& coming = found->second;
  coming.fetch.stall();
  if (!coming.left_by.empty() && env.now() - coming.heard > longest_silence()) {
    fetches_.erase(found);
    return;
  }
  ask(env, coming);
  arm(env, coming);
}

// Inputs that are not needed yet are not asked for: the files of a task are asked for when it
// comes.
void FileStager::on(Env& env, PeerId from, const DoYouNeed& message) {
  if (message.output) return need_output(env, from, message);
  IHave have;
  for (const FileRef& file : message.files) {
    if (here(file))
      have.names.push_back(file.name);
    else if (fetches_.contains(file.name))
      fetch(env, file, from);
  }
  if (!have.names.empty()) env.send(from, have);
}

void FileStager::need_output(Env& env, PeerId from, const DoYouNeed& message) {
  for (const FileRef& file : message.files) {
    if (kept_files_.contains(file.name)) keep(env, message.subject, file);
    if (kept_.contains(message.subject)) {
      env.send(from, IHave{{file.name}, {message.subject}});
      continue;
    }
    fetch(env, file, from);
    Coming& coming = fetches_.at(file.name);
    auto& left_by = coming.left_by;
    if (std::find(left_by.begin(), left_by.end(), message.subject) == left_by.end())
      left_by.push_back(message.subject);
    ask_again(env, coming, from);
  }
}

void FileStager::on(Env& env, PeerId from, const IHave& message) {
  for (const std::uint64_t subject : message.left_by) {
    const auto found = outputs_.find(subject);
    if (found == outputs_.end() || found->second.client != from) continue;
    const Output output = found->second;
    outputs_.erase(found);
    settle(env, output);
  }
}

// The home of a file always has it, and computes the index of its chunks when a peer first asks.
const Cache::Entry* FileStager::entry_of(const FileRef& file) {
  if (const Cache::Entry* entry = cache_.use(file.name)) return entry;
  if (file.home != self_) return nullptr;
  Index index = make_index(file.content, file.size, options_.chunk);
  if (name_of(file.size, index) != file.name) return nullptr;
  cache_.pin(file.name);
  cache_.put(file, std::move(index));
  return cache_.use(file.name);
}

void FileStager::on(Env& env, PeerId from, const INeed& message) {
  const Cache::Entry* entry = entry_of(message.file);
  if (entry == nullptr || entry->file.size != message.file.size)
    return env.send(from, NotHere{message.file.name});
  const bool is_output = asked_for_output(env, message.file.name);
  if (message.chunks.empty()) return env.send(from, Contents{entry->file.name, entry->index});
  const FileRef& file = entry->file;
  for (const std::uint32_t number : message.chunks)
    env.send(from,
             Chunk{file.name, number, make_chunk(file.content, file.size, options_.chunk, number)},
             is_output ? Cause::output : Cause::input);
}

// Whether the file is an output that is offered: then its client lives, and is still fetching.
bool FileStager::asked_for_output(Env& env, const Digest& file) {
  const auto found = std::find_if(outputs_.begin(), outputs_.end(),
                                  [&](const auto& item) { return item.second.file.name == file; });
  if (found == outputs_.end()) return false;
  auto& [subject, output] = *found;
  output.patience = patience_;
  output.heard = env.now();
  env.cancel(output.offer);
  output.offer = env.after(patience_, OfferDue{subject});
  return true;
}

void FileStager::on(Env& env, PeerId from, const NotHere& message) {
  const auto found = fetches_.find(message.name);
  if (found == fetches_.end() || found->second.fetch.holder() != from) return;
  Fetch& fetch = found->second.fetch;
  if (fetch.file().home == from || !fetch.drop_holder(from)) return;
  ask(env, found->second);
}

void FileStager::on(Env& env, PeerId, const Contents& message) {
  const auto found = fetches_.find(message.name);
  if (found == fetches_.end() || !found->second.fetch.take(message.index)) return;
  found->second.heard = env.now();
  ask(env, found->second);
  arm(env, found->second);
}

void FileStager::on(Env& env, PeerId, const Chunk& message) {
  const auto found = fetches_.find(message.name);
  if (found == fetches_.end()) return;
  Coming& coming = found->second;
  if (!coming.fetch.take(env.now(), message.number, message.bytes)) return;
  coming.heard = env.now();
  if (!coming.fetch.whole()) {
    ask(env, coming);
    arm(env, coming);
    return;
  }
  env.cancel(coming.stall);
  Coming whole = std::move(coming);
  fetches_.erase(found);
  arrived(env, std::move(whole));
}

// The next transfer is as patient as this one was in the end, but for lines that may be full by
// then.
void FileStager::learn_patience(const Fetch& fetch) {
  const core::Duration least = std::max(least_patience, 3 * world_.longest_way());
  patience_ = std::clamp(fetch.patience(), least, options_.most_patience());
}

void FileStager::arrived(Env& env, Coming coming) {
  const Fetch& fetch = coming.fetch;
  learn_patience(fetch);
  const FileRef& file = fetch.file();
  const bool output = !coming.left_by.empty();
  constexpr int word = 11;  // shift that leaves 53 bits, which a double holds exactly
  env.note(FileFetched{file.name[0] >> word, file.size,
                       static_cast<std::uint32_t>(fetch.index().size()), fetch.again(),
                       env.now() - fetch.begun(), output});
  for (const std::uint64_t subject : coming.left_by) keep(env, subject, file);
  if (!output || cache_.pinned(file.name)) cache_.put(file, fetch.index());
  env.send(fetch.holder(), IHave{{file.name}, coming.left_by});
  release(env);
}

void FileStager::keep(Env& env, std::uint64_t subject, const FileRef& file) {
  if (kept_.contains(subject)) return;
  const FileRef right =
      make_file(output_content(world_.seed, subject), options_.output, options_.chunk, file.home);
  kept_.insert(subject);
  kept_files_.insert(file.name);
  env.note(OutputKept{task_of(subject), file.size, right.name == file.name});
}

bool FileStager::keeps(Env& env, const core::WorkDone& done) {
  const auto found = hold_.works.find(done.id);
  if (found == hold_.works.end()) return false;
  HeldWork& work = found->second;
  if (work.cargo.output > 0) {
    work.done = done;
    leave(env, done.id, work);
    if (work.state == HeldWork::State::ended) return true;
  }
  unpin(work.cargo);
  hold_.works.erase(found);
  return false;
}

// The same task may run here twice; its output is one.
void FileStager::leave(Env& env, const core::WorkId& id, HeldWork& work) {
  const std::uint64_t subject = work.cargo.subject;
  const std::uint64_t content = output_content(world_.seed, subject);
  Index index = make_index(content, work.cargo.output, options_.chunk);
  const FileRef file{name_of(work.cargo.output, index), work.cargo.output, content, self_};
  if (work.cargo.client == self_) return keep(env, subject, file);
  work.state = HeldWork::State::ended;
  const auto [item, fresh] = outputs_.try_emplace(
      subject,
      Output{.file = file, .client = work.cargo.client, .heard = env.now(), .patience = patience_});
  item->second.works.push_back(id);
  if (!fresh) return;
  cache_.pin(file.name);
  cache_.put(file, std::move(index));
  offer(env, subject, item->second);
}

void FileStager::offer(Env& env, std::uint64_t subject, Output& output) {
  env.send(output.client, DoYouNeed{subject, {output.file}, true});
  output.offer = env.after(output.patience, OfferDue{subject});
  output.patience = std::min(2 * output.patience, options_.most_patience());
}

void FileStager::on(Env& env, const OfferDue& due) {
  const auto found = outputs_.find(due.subject);
  if (found == outputs_.end()) return;
  if (env.now() - found->second.heard <= longest_silence())
    return offer(env, found->first, found->second);
  const Output output = found->second;  // its client is gone: other tasks may end
  outputs_.erase(found);
  settle(env, output);
}

void FileStager::settle(Env& env, const Output& output) {
  env.cancel(output.offer);
  cache_.unpin(output.file.name);
  if (!cache_.pinned(output.file.name)) cache_.erase(output.file.name);
  for (const core::WorkId id : output.works) {
    const auto work = hold_.works.find(id);
    if (work == hold_.works.end()) continue;
    env.raise(work->second.done);
    unpin(work->second.cargo);
    hold_.works.erase(work);
  }
}

}  // namespace rhizome::agents::files
