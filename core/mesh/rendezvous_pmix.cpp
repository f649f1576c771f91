#include "core/mesh/rendezvous_pmix.hpp"

#include <pmix.h>
#include <unistd.h>

#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>

#include "core/mesh/launcher_owner.hpp"
#include "core/mesh/missing.hpp"

namespace rhizome::core {

namespace {

constexpr const char* key = "rhizome.descriptor";

void check(pmix_status_t status, const char* doing) {
  if (status != PMIX_SUCCESS)
    throw Unreachable(std::string("PMIx: ") + doing + ": " + PMIx_Error_string(status));
}

// The answer to an asynchronous request. It may come after the caller has stopped waiting.
struct Answer {
  std::mutex mutex;
  std::condition_variable changed;
  std::optional<pmix_status_t> status;
};

void answered(pmix_status_t status, void* data) {
  const std::unique_ptr<std::shared_ptr<Answer>> answer(
      static_cast<std::shared_ptr<Answer>*>(data));
  const std::scoped_lock lock((*answer)->mutex);
  (*answer)->status = status;
  (*answer)->changed.notify_all();
}

// Descriptors that are asked for after the gathering has failed, by rank. Answers may come after
// the wait for them has ended.
struct Stragglers {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t asked = 0;
  std::vector<std::optional<std::string>> descriptors;
};
struct Straggler {
  std::shared_ptr<Stragglers> of;
  std::uint32_t rank;
};

std::optional<std::string> descriptor_in(const pmix_value_t& value) {
  if (value.type != PMIX_BYTE_OBJECT) return {};
  return std::string(value.data.bo.bytes, value.data.bo.size);
}

void came_late(pmix_status_t status, pmix_value_t* value, void* data) {
  const std::unique_ptr<Straggler> straggler(static_cast<Straggler*>(data));
  Stragglers& all = *straggler->of;
  const std::scoped_lock lock(all.mutex);
  if (status == PMIX_SUCCESS && value != nullptr)
    all.descriptors[straggler->rank] = descriptor_in(*value);
  --all.asked;
  all.changed.notify_all();
}

class Value {
 public:
  ~Value() {
    if (value_ != nullptr) PMIX_VALUE_RELEASE(value_);
  }
  Value() = default;
  Value(const Value&) = delete;
  Value& operator=(const Value&) = delete;
  [[nodiscard]] pmix_value_t** place() { return &value_; }
  [[nodiscard]] const pmix_value_t& get() const { return *value_; }

 private:
  pmix_value_t* value_ = nullptr;
};

class RendezvousPmix final : public Rendezvous {
 public:
  explicit RendezvousPmix(std::chrono::milliseconds patience) : patience_(patience) {
    check_launcher_owner(this_environment(), geteuid());
    check(PMIx_Init(&me_, nullptr, 0), "the launcher does not answer");
    here_ = true;
    Value size;
    pmix_proc_t job;
    PMIX_LOAD_PROCID(&job, me_.nspace, PMIX_RANK_WILDCARD);
    check(PMIx_Get(&job, PMIX_JOB_SIZE, nullptr, 0, size.place()), "the number of processes");
    size_ = size.get().data.uint32;
    if (me_.rank >= size_ || size_ > most_processes)
      throw Unreachable("PMIx: process " + std::to_string(me_.rank) + " of " +
                        std::to_string(size_));
  }
  ~RendezvousPmix() override { leave(); }

  [[nodiscard]] std::uint32_t rank() const override { return me_.rank; }
  [[nodiscard]] std::uint32_t size() const override { return size_; }

  [[nodiscard]] std::vector<std::string> gather(const std::string& descriptor) override {
    put(descriptor);
    fence();
    std::vector<std::optional<std::string>> found;
    for (std::uint32_t rank = 0; rank < size_; ++rank) found.push_back(descriptor_of(rank));
    const std::vector<std::string> where = complete(found) ? std::vector<std::string>{} : hosts();
    leave();
    if (auto descriptors = complete(found)) return *descriptors;
    throw Unreachable("PMIx: " + who_is_missing(found, patience_, where));
  }

 private:
  void put(const std::string& descriptor) {
    std::string bytes = descriptor;
    pmix_value_t value;
    PMIX_VALUE_CONSTRUCT(&value);
    value.type = PMIX_BYTE_OBJECT;
    value.data.bo = {bytes.data(), bytes.size()};
    check(PMIx_Put(PMIX_GLOBAL, key, &value), "the descriptor is refused");
    check(PMIx_Commit(), "the descriptor is refused");
  }

  // Waits no longer than the patience: a launcher would wait for ever.
  void fence() {
    auto answer = std::make_shared<Answer>();
    bool collect = true;
    pmix_info_t info;
    PMIX_INFO_LOAD(&info, PMIX_COLLECT_DATA, &collect, PMIX_BOOL);
    auto kept = std::make_unique<std::shared_ptr<Answer>>(answer);
    check(PMIx_Fence_nb(nullptr, 0, &info, 1, answered, kept.get()), "the gathering");
    static_cast<void>(kept.release());  // `answered` frees it
    std::unique_lock lock(answer->mutex);
    if (answer->changed.wait_for(lock, patience_, [&] { return answer->status.has_value(); })) {
      check(*answer->status, "the gathering");
      return;
    }
    here_ = false;  // to take one's leave is a gathering, too
    throw Unreachable("PMIx: " + who_is_missing(cards_of_some(), patience_, hosts()));
  }

  // The descriptors that can be had quickly, after the gathering of all has failed.
  [[nodiscard]] std::vector<std::optional<std::string>> cards_of_some() const {
    constexpr std::chrono::seconds moment{2};
    auto some = std::make_shared<Stragglers>();
    some->descriptors.resize(size_);
    some->asked = size_;
    for (std::uint32_t rank = 0; rank < size_; ++rank) {
      const pmix_proc_t other = process(rank);
      auto straggler = std::make_unique<Straggler>(Straggler{some, rank});
      if (PMIx_Get_nb(&other, key, nullptr, 0, came_late, straggler.get()) == PMIX_SUCCESS) {
        static_cast<void>(straggler.release());  // `came_late` frees it
      } else {
        const std::scoped_lock lock(some->mutex);
        --some->asked;
      }
    }
    std::unique_lock lock(some->mutex);
    some->changed.wait_for(lock, moment, [&] { return some->asked == 0; });
    return some->descriptors;
  }

  // As far as the launcher tells, by rank.
  [[nodiscard]] std::vector<std::string> hosts() const {
    std::vector<std::string> hosts(size_);
    for (std::uint32_t rank = 0; rank < size_; ++rank) {
      const pmix_proc_t other = process(rank);
      Value value;
      if (PMIx_Get(&other, PMIX_HOSTNAME, nullptr, 0, value.place()) == PMIX_SUCCESS &&
          value.get().type == PMIX_STRING)
        hosts[rank] = value.get().data.string;
    }
    return hosts;
  }

  [[nodiscard]] pmix_proc_t process(std::uint32_t rank) const {
    pmix_proc_t one;
    PMIX_LOAD_PROCID(&one, me_.nspace, rank);
    return one;
  }

  [[nodiscard]] std::optional<std::string> descriptor_of(std::uint32_t rank) const {
    const pmix_proc_t other = process(rank);
    Value value;
    if (PMIx_Get(&other, key, nullptr, 0, value.place()) != PMIX_SUCCESS) return {};
    return descriptor_in(value.get());
  }

  void leave() {
    if (here_) PMIx_Finalize(nullptr, 0);
    here_ = false;
  }

  const std::chrono::milliseconds patience_;
  pmix_proc_t me_{};
  std::uint32_t size_ = 0;
  bool here_ = false;
};

}  // namespace

bool pmix_is_built_in() { return true; }

std::unique_ptr<Rendezvous> rendezvous_by_pmix(std::chrono::milliseconds patience) {
  return std::make_unique<RendezvousPmix>(patience);
}

}  // namespace rhizome::core
