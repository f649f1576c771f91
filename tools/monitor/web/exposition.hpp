// An exposition: figures as OpenMetrics writes them, a family with its type, its unit and its help
// before its samples.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace rhizome::tools {

using Label = std::pair<std::string_view, std::string_view>;
using Labels = std::initializer_list<Label>;

class Exposition {
 public:
  // The following samples belong to that family. Its name ends in the unit, if it has one.
  Exposition& gauge(std::string_view name, std::string_view help, std::string_view unit = "");
  Exposition& counter(std::string_view name, std::string_view help, std::string_view unit = "");
  Exposition& add(double value, Labels labels = {});
  // One of several states, and a description in words.
  void state(std::string_view name, std::string_view help, std::string_view present,
             std::initializer_list<std::string_view> all);
  void info(std::string_view name, std::string_view help, Labels labels);

  [[nodiscard]] std::string text() const { return text_ + "# EOF\n"; }

 private:
  Exposition& begin(std::string_view name, std::string_view type, std::string_view help,
                    std::string_view unit);

  std::string text_;
  std::string name_;
};

}  // namespace rhizome::tools
