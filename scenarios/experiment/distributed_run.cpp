#include "scenarios/experiment/distributed_run.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/engine/correspondent.hpp"
#include "core/engine/fact_count.hpp"
#include "core/engine/mirror.hpp"
#include "core/engine/thread_engine.hpp"
#include "core/peer/tagged.hpp"
#include "scenarios/outcome/facts.hpp"

namespace rhizome::scenarios {

namespace {

// The time for an order to reach all processes before the start.
constexpr std::chrono::milliseconds head_start{300};
constexpr std::chrono::milliseconds nap{500};  // between two checks for lost processes

// The longest wait for the last news of other processes.
constexpr std::chrono::milliseconds last_words{1000};
constexpr std::chrono::milliseconds breath{10};

const core::FactTypes& known_facts() {
  static const core::FactTypes types = core::fact_types(static_cast<const KnownFacts*>(nullptr));
  return types;
}

std::string reason_of(std::exception_ptr error) {
  try {
    std::rethrow_exception(std::move(error));
  } catch (const std::exception& what) {
    return what.what();
  } catch (...) {
    return "of an unknown kind";
  }
}

// The processes of the run, by share.
std::vector<core::Mirror::Part> parts_of(const core::Mesh& mesh, const core::RunOfMany& run) {
  std::vector<core::Mirror::Part> parts;
  for (const std::uint32_t process : run.processes)
    parts.push_back({process, mesh.process(process).host});
  return parts;
}

}  // namespace

// The state of a process during a run.
struct DistributedRun::Engaged {
  Engaged(core::Mesh& mesh, core::RunOfMany its_run, core::EngineSetup its_setup,
          const Options& options)
      : run(std::move(its_run)),
        setup(std::move(its_setup)),
        crossing(std::make_unique<core::Crossing>(mesh, run)),
        control(run.share, *crossing, setup,
                {.head_start = head_start, .end_on_loss = options.end_on_loss}) {
    if (run.share.number() == 0)
      mirror.emplace(*crossing, run.share, run.peers, parts_of(mesh, run), known_facts());
    else
      correspondent.emplace(*crossing, run.share, run.peers, known_facts());
    control.on_aside([this](std::uint32_t from, const core::Bytes& said) {
      mirror ? mirror->hear(from, said) : correspondent->hear(from, said);
    });
  }

  // Throws core::LimitExceeded.
  void build(double scale, bool real_latency) {
    time_scale = scale;
    engine = std::make_unique<core::ThreadEngine>(
        setup, core::ThreadOptions{.time_scale = scale},
        core::EngineMembership{run.share, &control, crossing.get(), mirror ? &*mirror : nullptr,
                               real_latency});
    crossing->open(engine->entrance());
  }
  [[nodiscard]] core::PartialReport perform(const core::Observer& asked) {
    const core::Observer observer = mirror ? beside_others(asked) : for_share_0(asked);
    try {
      core::EngineReport report = engine->run(observer);
      crossing->close();
      return {run.share.peers_of(setup.peers), std::move(report)};
    } catch (const core::StuckPeer&) {
      crossing->close();
      static_cast<void>(crossing.release());  // a stuck thread may still write to it
      throw;
    }
  }
  // At the end of a watched run, share 0 waits a moment for the last news of the other shares.
  [[nodiscard]] core::Observer beside_others(core::Observer observer) {
    if (observer.steering != nullptr) mirror->serve(*observer.steering);
    if (observer.unwatch)
      observer.unwatch = [this, unwatch = observer.unwatch, steering = observer.steering] {
        const auto until = std::chrono::steady_clock::now() + last_words;
        while (!mirror->has_heard_all() && std::chrono::steady_clock::now() < until)
          if (!control.listen(breath)) break;
        unwatch();
        if (steering != nullptr) steering->share_out({});
      };
    return observer;
  }
  [[nodiscard]] core::Observer for_share_0(core::Observer observer) {
    observer.steering = &correspondent->steering();
    observer.watch = [this](const core::Board& board) { correspondent->watch(board); };
    observer.unwatch = [this] { correspondent->unwatch(); };
    return observer;
  }
  [[nodiscard]] std::vector<Crossed> crossed() const {
    std::vector<Crossed> all;
    for (std::uint32_t share = 0; share < run.processes.size(); ++share) {
      const core::CrossingLedger ledger =
          share == run.share.number() ? core::CrossingLedger{} : crossing->ledger(share);
      all.push_back({ledger.handed_over, ledger.received, ledger.burdens});
    }
    return all;
  }
  // Converts real time to emulated time, clamped to the length of the run.
  [[nodiscard]] core::Time time_of(core::Control::RealTime real, core::Time ended) const {
    const auto since = control.begun() ? real - *control.begun() : std::chrono::nanoseconds{0};
    const core::Time time =
        core::Time{} +
        core::from_seconds(std::chrono::duration<double>(since).count() * time_scale);
    return std::clamp(time, core::Time{}, std::max(core::Time{}, ended));
  }

  const core::RunOfMany run;
  const core::EngineSetup setup;
  double time_scale = 1;
  std::unique_ptr<core::Crossing> crossing;
  core::SharedControl control;
  std::optional<core::Mirror> mirror;                // only in share 0
  std::optional<core::Correspondent> correspondent;  // only in other shares
  std::unique_ptr<core::ThreadEngine> engine;
};

DistributedRun::DistributedRun(core::Mesh& mesh, Options options)
    : mesh_(mesh), options_(std::move(options)), told_(mesh.size()), members_(members_of(mesh)) {}

core::RunOfMany DistributedRun::shares_of(const Order& order, std::uint32_t peers) const {
  const auto shares = static_cast<std::uint32_t>(order.processes.size());
  const auto mine = std::ranges::find(order.processes, mesh_.rank());
  const bool sound = order.placement.size() == peers &&
                     std::ranges::all_of(order.placement,
                                         [shares](std::uint32_t share) { return share < shares; });
  if (!sound) throw core::ShareFailed("an order places other peers than those of this scenario");
  return {.number = order.number,
          .share = {core::Placement::given(shares, order.placement),
                    static_cast<std::uint32_t>(mine - order.processes.begin())},
          .peers = peers,
          .processes = order.processes};
}

// Gives each process peers in proportion to its cores. A lost process gets no peers.
auto DistributedRun::order_of(const Asked& asked) -> Order {
  Order order{.number = ++runs_,
              .cell = asked.cell,
              .scheduler = asked.run.scheduler,
              .repetition = asked.run.repetition};
  std::vector<std::uint32_t> weights;
  for (std::uint32_t process = 0; process < mesh_.size(); ++process) {
    if (mesh_.loss_of(process)) continue;
    order.processes.push_back(process);
    weights.push_back(std::max(1U, mesh_.process(process).cores));
  }
  const core::Placement placement = place(options_.placing, asked.world.graph, weights);
  for (std::uint32_t i = 0; i < asked.world.graph.peers(); ++i)
    order.placement.push_back(placement.share_of({i}));
  return order;
}

// This process builds its engine before it sends the order, so that it is ready for packets of any
// process that has received the order.
core::EngineReport DistributedRun::perform(const Asked& asked, core::EngineSetup setup,
                                           const core::Observer& observer) {
  const Order order = order_of(asked);
  Engaged engaged(mesh_, shares_of(order, setup.peers), std::move(setup), options_);
  engaged.build(asked.time_scale, asked.real_latency);
  for (const std::uint32_t process : order.processes)
    if (process != mesh_.rank()) mesh_.send(process, core::encode_tagged(Word(order)));
  // Tasks are done in other processes as well: of how many, only a monitor knows.
  if (observer.counted) observer.counted->expect(0);
  core::Observer looking = observer;
  looking.tick = [&](core::Time now) {
    tell_losses(engaged.run, asked.world.source);
    if (observer.tick) observer.tick(now);
  };
  const core::PartialReport mine = engaged.perform(looking);
  const auto parts = await_parts(
      engaged.run, {.number = order.number, .crossed = engaged.crossed(), .report = encode(mine)});
  note_members(engaged.run, engaged.setup.peers, parts);
  return merge(engaged, parts);
}

auto DistributedRun::await_parts(const core::RunOfMany& run, Part mine)
    -> std::vector<std::optional<Part>> {
  std::vector<std::optional<Part>> parts(run.processes.size());
  parts[run.share.number()] = std::move(mine);
  const auto is_missing = [&](std::uint32_t share) {
    return !parts[share] && !mesh_.loss_of(run.processes[share]);
  };
  for (std::uint32_t share = 0; share < parts.size();) {
    if (!is_missing(share)) {
      ++share;
      continue;
    }
    const auto parcel = mesh_.receive(nap);
    if (!parcel) continue;
    const auto word = core::decode_tagged<Word>(parcel->bytes, core::no_limits);
    const Part* part = word ? std::get_if<Part>(&*word) : nullptr;
    const auto from = run.share_of_process(parcel->from);
    if (part == nullptr || part->number != run.number || !from) continue;
    if (!part->failure.empty())
      throw core::ShareFailed(mesh_.name_of(parcel->from) + " has failed: " + part->failure);
    parts[*from] = *part;
  }
  return parts;
}

core::EngineReport DistributedRun::merge(const Engaged& engaged,
                                         const std::vector<std::optional<Part>>& parts) {
  std::vector<core::PartialReport> reports;
  for (std::uint32_t share = 0; share < parts.size(); ++share) {
    if (!parts[share]) continue;
    auto report = core::decode(parts[share]->report, known_facts());
    if (!report)
      throw core::ShareFailed("the report of " + mesh_.name_of(engaged.run.processes[share]) +
                              " cannot be read");
    reports.push_back(std::move(*report));
  }
  std::vector<core::LostPeers> lost;
  for (std::uint32_t share = 0; share < parts.size(); ++share)
    if (!parts[share])
      lost.push_back(lost_share(engaged, share, parts, reports.front().report.ended));
  core::EngineReport whole = core::merge(std::move(reports), engaged.run.peers, std::move(lost));
  whole.between.passages = passages(engaged.run, parts);
  return whole;
}

std::vector<core::Passage> DistributedRun::passages(
    const core::RunOfMany& run, const std::vector<std::optional<Part>>& parts) const {
  std::vector<core::Passage> all;
  const auto name_of = [&](std::size_t share) { return mesh_.name_of(run.processes[share]); };
  for (std::size_t from = 0; from < parts.size(); ++from)
    if (parts[from] && parts[from]->crossed.size() != parts.size())
      throw core::ShareFailed(name_of(from) + " does not say what crossed");
  for (std::size_t from = 0; from < parts.size(); ++from)
    for (std::size_t to = 0; to < parts.size(); ++to)
      if (from != to && parts[from] && parts[to])
        all.push_back({.from = name_of(from),
                       .to = name_of(to),
                       .handed_over = parts[from]->crossed[to].handed_over,
                       .received = parts[to]->crossed[from].received});
  return all;
}

core::LostPeers DistributedRun::lost_share(const Engaged& engaged, std::uint32_t share,
                                           const std::vector<std::optional<Part>>& parts,
                                           core::Time ended) const {
  const core::RunOfMany& run = engaged.run;
  const auto loss = mesh_.loss_of(run.processes[share]).value();
  core::LostPeers lost{.peers = run.share.of_number(share).peers_of(run.peers),
                       .why = mesh_.name_of(loss.process) + " is lost: " + loss.why,
                       .last_heard = engaged.time_of(loss.last_heard, ended),
                       .noticed = engaged.time_of(loss.noticed, ended)};
  for (const auto& part : parts) {
    if (!part || share >= part->crossed.size()) continue;
    lost.handed_over += part->crossed[share].handed_over;
    lost.received += part->crossed[share].received;
  }
  return lost;
}

void DistributedRun::tell_losses(const core::RunOfMany& run, core::PeerId source) {
  for (const core::ProcessLoss& loss : mesh_.losses()) {
    const auto share = run.share_of_process(loss.process);
    if (!share || told_[loss.process]) continue;
    told_[loss.process] = true;
    const auto peers = run.share.of_number(*share).peers_of(run.peers);
    const bool with_source = std::ranges::find(peers, source) != peers.end();
    if (options_.tell)
      options_.tell(mesh_.name_of(loss.process) + " is lost: " + loss.why + "; its " +
                    std::to_string(peers.size()) + " peers have crashed" +
                    (with_source ? ", with peer " + std::to_string(source.value) +
                                       ", at which work enters: its results are lost, too"
                                 : ""));
  }
}

void DistributedRun::note_members(const core::RunOfMany& run, std::uint32_t peers,
                                  const std::vector<std::optional<Part>>& parts) {
  for (std::uint32_t process = 0; process < members_.size(); ++process) {
    Member& member = members_[process];
    const auto loss = mesh_.loss_of(process);
    if (loss) member.lost = loss->why;
    const auto share = run.share_of_process(process);
    if (!share) continue;
    member.peers = static_cast<std::uint32_t>(run.share.of_number(*share).peers_of(peers).size());
    if (!parts[*share]) continue;
    ++member.runs;
    member.clock_offset = parts[*share]->clock_offset;
    member.clock_bound = parts[*share]->clock_bound;
    member.round_trip = parts[*share]->round_trip;
    member.crossed = {};
    for (const Crossed& with : parts[*share]->crossed)
      for (std::size_t c = 0; c < with.burdens.size(); ++c) member.crossed[c] += with.burdens[c];
  }
}

void DistributedRun::dismiss() {
  for (std::uint32_t process = 1; process < mesh_.size(); ++process)
    mesh_.send(process, core::encode_tagged(Word(Dismissal{})));
}

bool DistributedRun::follow(std::span<const Cell> cells, const std::atomic<bool>* stop) {
  for (;;) {
    const bool lost = mesh_.loss_of(0).has_value();  // everything that it sent before has arrived
    const auto parcel = mesh_.receive(nap);
    if (!parcel && lost) return false;
    if (!parcel || parcel->from != 0) continue;
    const auto word = core::decode_tagged<Word>(parcel->bytes, core::no_limits);
    if (word && std::holds_alternative<Dismissal>(*word)) return true;
    if (const Order* order = word ? std::get_if<Order>(&*word) : nullptr) obey(*order, cells, stop);
  }
}

void DistributedRun::obey(const Order& order, std::span<const Cell> cells,
                          const std::atomic<bool>* stop) {
  Part part;
  try {
    const bool known = order.cell < cells.size() &&
                       order.scheduler < cells[order.cell].scenario.schedulers.size() &&
                       std::ranges::find(order.processes, mesh_.rank()) != order.processes.end();
    if (!known) throw core::ShareFailed("an order names no run of this scenario");
    part = do_share(order, cells[order.cell], stop);
  } catch (...) {
    part = {.number = order.number, .failure = reason_of(std::current_exception())};
  }
  mesh_.send(0, core::encode_tagged(Word(std::move(part))));
}

auto DistributedRun::do_share(const Order& order, const Cell& cell, const std::atomic<bool>* stop)
    -> Part {
  const core::Observer observer{.stop = stop};
  Prepared run(cell, {order.scheduler, order.repetition, DoneBy::several}, observer);
  core::EngineSetup setup = run.setup();
  const std::uint32_t peers = setup.peers;
  Engaged engaged(mesh_, shares_of(order, peers), std::move(setup), options_);
  try {
    engaged.build(cell.scenario.engine.time_scale, has_real_latency(cell.scenario));
  } catch (...) {  // so that process 0 does not wait in vain
    engaged.crossing->send(
        0, core::control::encode(core::control::Built{reason_of(std::current_exception())}));
    throw;
  }
  const core::PartialReport report = engaged.perform(observer);
  const double doubt = core::seconds(report.report.fidelity.clock_doubt) / engaged.time_scale;
  return {.number = order.number,
          .clock_offset = mesh_.clock().offset(),
          .clock_bound = core::from_seconds(doubt),
          .round_trip = mesh_.clock().best_round_trip(),
          .crossed = engaged.crossed(),
          .report = encode(report)};
}

}  // namespace rhizome::scenarios
