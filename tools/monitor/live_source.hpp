// A run under way as a source, with what was seen of it lately to go back to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "scenarios/live/seen/history.hpp"
#include "tools/monitor/attachment.hpp"
#include "tools/monitor/source.hpp"

namespace rhizome::tools {

class LiveSource : public Source {
 public:
  explicit LiveSource(Attachment& attachment)
      : attachment_(attachment), wanted_(attachment.wanted()) {}

  [[nodiscard]] bool wait(std::chrono::milliseconds most) override;
  [[nodiscard]] const scenarios::live::Knowledge& known() const override {
    return attachment_.known();
  }
  [[nodiscard]] const scenarios::live::State& state() const override {
    return past_ ? *past_ : attachment_.state();
  }
  [[nodiscard]] std::string standing() const override;
  [[nodiscard]] std::string grant(Wish::Kind wish, const View& view) override;

 private:
  [[nodiscard]] bool take(Attachment::News news);
  [[nodiscard]] std::string cause(Wish::Kind fault, const View& view);
  void turn_to(std::optional<std::uint32_t> run);
  [[nodiscard]] std::string turn(Wish::Kind wish);
  [[nodiscard]] std::string look_back(Wish::Kind wish);
  void show(std::uint64_t number);

  Attachment& attachment_;
  std::optional<std::uint32_t> wanted_;
  scenarios::live::History history_;
  std::uint64_t shown_ = 0;                     // the number of the state that is shown
  std::optional<scenarios::live::State> past_;  // none: the present is
  std::string text_ = "live";
  bool ended_ = false;
};

}  // namespace rhizome::tools
