// WebAnswers about recordings: a list of them, their contents, and the figures of their ends, for
// the first recording shown unless another is named.
#pragma once

#include "tools/monitor/web/answers.hpp"
#include "tools/monitor/web/library/library.hpp"

namespace rhizome::tools {

class LibraryAnswers final : public WebAnswers {
 public:
  struct Shown {
    std::size_t first = 0;
    std::optional<std::size_t> beside{};
  };
  // The library outlives it.
  LibraryAnswers(Library& library, const Shown& shown) : library_(library), shown_(shown) {}

  [[nodiscard]] std::optional<Reply> answer(const Question& question) override;
  [[nodiscard]] Teller follow(const Question&) override { return {}; }

 private:
  [[nodiscard]] Reply show() const;
  [[nodiscard]] Reply of_recording(const Question& question);

  Library& library_;
  const Shown shown_;
};

}  // namespace rhizome::tools
