// A run under way as a source, with a history of recent states to look back at.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "scenarios/live/seen/history.hpp"
#include "tools/monitor/attachment.hpp"
#include "tools/monitor/source.hpp"

namespace rhizome::tools {

class LiveSource : public Source {
 public:
  // `views`: whether to request the views of overlays even if none is shown.
  explicit LiveSource(Attachment& attachment, bool views = false)
      : attachment_(attachment), views_(views), wanted_(attachment.wanted()) {}

  [[nodiscard]] bool wait(std::chrono::milliseconds most) override;
  [[nodiscard]] const scenarios::live::Knowledge& known() const override {
    return attachment_.known();
  }
  [[nodiscard]] const scenarios::live::State& state() const override {
    return past_ ? *past_ : attachment_.state();
  }
  [[nodiscard]] std::filesystem::path directory() const override {
    return attachment_.run().directory;
  }
  void want_views(bool wanted) override { attachment_.want_views(views_ || wanted); }
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
  const bool views_;
  std::optional<std::uint32_t> wanted_;
  scenarios::live::SeenHistory history_;
  std::uint64_t shown_ = 0;                     // the number of the state shown
  std::optional<scenarios::live::State> past_;  // none: the present state is shown
  std::string text_ = "live";
  bool ended_ = false;
};

}  // namespace rhizome::tools
