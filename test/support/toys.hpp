// Toy systems for tests of searches: processes that take steps on a few variables.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/explore/system.hpp"

namespace rhizome::test {

// A step of a process: the variables that it uses besides the process itself, and its action.
struct ToyStep {
  std::uint64_t variables = 0;  // a bit for each
  std::function<void(std::vector<int>&)> act{};
  bool rare = false;
  std::function<bool(const std::vector<int>&)> possible{};  // empty: always
};
using ToyProcess = std::vector<ToyStep>;

class Toy final : public core::System {
 public:
  using Rule = std::function<core::Broken(const std::vector<int>&)>;
  struct Options {
    std::size_t variables = 0;
    bool commute = true;   // or every step keeps every other from going before
    bool by_past = false;  // whether states are told apart by all that has happened
    Rule flaw{};
    Rule verdict{};
  };

  Toy(std::vector<ToyProcess> processes, Options options)
      : processes_(std::move(processes)), options_(std::move(options)) {}

  void begin() override {
    ++begun;
    at_.assign(processes_.size(), 0);
    values_.assign(options_.variables, 0);
    past_ = 0;
  }
  std::vector<core::Choice> choices() override {
    std::vector<core::Choice> usual;
    std::vector<core::Choice> rare;
    for (std::size_t i = 0; i < processes_.size(); ++i) {
      if (at_[i] == processes_[i].size()) continue;
      const ToyStep& step = processes_[i][at_[i]];
      if (step.possible && !step.possible(values_)) continue;
      const std::uint64_t own = std::uint64_t{1} << (32 + i);
      (step.rare ? rare : usual)
          .push_back({name_of(i, at_[i]),
                      options_.commute ? own | step.variables : ~std::uint64_t{0}, step.rare});
    }
    usual.insert(usual.end(), rare.begin(), rare.end());
    return usual;
  }
  void take(const core::Choice& choice) override {
    const std::size_t process = choice.key / 1000 - 1;
    const ToyStep& step = processes_[process][at_[process]++];
    if (step.act) step.act(values_);
    past_ = core::mixed(past_, choice.key);
  }
  core::Fingerprint state() override {
    if (options_.by_past) return past_;
    core::Fingerprint print = 0;
    for (const std::size_t at : at_) print = core::mixed(print, at);
    for (const int value : values_) print = core::mixed(print, static_cast<unsigned>(value));
    return print;
  }
  core::Broken flaw() override { return options_.flaw ? options_.flaw(values_) : core::Broken{}; }
  core::Broken verdict(bool over) override {
    if (over) ++ends[values_];
    return over && options_.verdict ? options_.verdict(values_) : core::Broken{};
  }

  [[nodiscard]] static core::Fingerprint name_of(std::size_t process, std::size_t step) {
    return (process + 1) * 1000 + step;
  }

  std::map<std::vector<int>, int> ends;  // judged ends
  int begun = 0;

 private:
  std::vector<ToyProcess> processes_;
  Options options_;
  std::vector<std::size_t> at_;
  std::vector<int> values_;
  core::Fingerprint past_ = 0;
};

}  // namespace rhizome::test
