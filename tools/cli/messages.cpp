#include "tools/cli/messages.hpp"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>
#include <string>
#include <utility>

#include "scenarios/text/plain_text.hpp"

namespace rhizome::tools {

namespace {

// The beginning of a line, by its level.
class Beginning : public spdlog::custom_flag_formatter {
 public:
  explicit Beginning(std::string speaker) : speaker_(std::move(speaker)) {}
  void format(const spdlog::details::log_msg& message, const std::tm&,
              spdlog::memory_buf_t& line) override {
    const auto add = [&line](std::string_view text) { line.append(text.begin(), text.end()); };
    add(speaker_);
    if (message.level == spdlog::level::info) return;
    add("rhizome: ");
    if (message.level != spdlog::level::err) return;
    message.color_range_start = line.size();
    add("error");
    message.color_range_end = line.size();
    add(": ");
  }
  [[nodiscard]] std::unique_ptr<custom_flag_formatter> clone() const override {
    return std::make_unique<Beginning>(speaker_);
  }

 private:
  std::string speaker_;
};

std::unique_ptr<spdlog::formatter> formatter_for(std::string speaker) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<Beginning>('*', std::move(speaker)).set_pattern("%*%v");
  return formatter;
}

spdlog::logger& log() {
  static spdlog::logger made = [] {
    spdlog::logger logger("rhizome", std::make_shared<spdlog::sinks::stderr_color_sink_mt>());
    logger.set_formatter(formatter_for(""));
    return logger;
  }();
  return made;
}

}  // namespace

void speak_as(std::string_view name) {
  log().set_formatter(formatter_for(scenarios::plain_lines(name)));
}
void tell(std::string_view text) { log().info(scenarios::plain_lines(text)); }
void warn(std::string_view text) { log().warn(scenarios::plain_lines(text)); }
void complain(std::string_view text) { log().error(scenarios::plain_lines(text)); }

}  // namespace rhizome::tools
