#include "tools/monitor/web/exposition.hpp"

#include <fmt/core.h>

#include <cmath>

namespace rhizome::tools {

namespace {

std::string escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\' || c == '"') escaped += '\\';
    escaped += c == '\n' ? std::string("\\n") : std::string(1, c);
  }
  return escaped;
}

std::string text_of(Labels labels) {
  std::string text;
  for (const auto& [name, value] : labels)
    text += fmt::format("{}{}=\"{}\"", text.empty() ? "{" : ",", name, escaped(value));
  return text.empty() ? text : text + "}";
}

// Counts are written in full.
std::string text_of(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 9e15;
  return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.9g}", value);
}

}  // namespace

Exposition& Exposition::begin(std::string_view name, std::string_view type, std::string_view help,
                              std::string_view unit) {
  name_ = name;
  text_ += fmt::format("# TYPE {} {}\n", name, type);
  if (!unit.empty()) text_ += fmt::format("# UNIT {} {}\n", name, unit);
  text_ += fmt::format("# HELP {} {}\n", name, escaped(help));
  return *this;
}

Exposition& Exposition::gauge(std::string_view name, std::string_view help, std::string_view unit) {
  return begin(name, "gauge", help, unit);
}

Exposition& Exposition::counter(std::string_view name, std::string_view help,
                                std::string_view unit) {
  begin(name, "counter", help, unit);
  name_ += "_total";
  return *this;
}

Exposition& Exposition::add(double value, Labels labels) {
  text_ += name_ + text_of(labels) + " " + text_of(value) + "\n";
  return *this;
}

void Exposition::state(std::string_view name, std::string_view help, std::string_view present,
                       std::initializer_list<std::string_view> all) {
  begin(name, "stateset", help, "");
  for (const std::string_view each : all) add(each == present ? 1 : 0, {{name, each}});
}

void Exposition::info(std::string_view name, std::string_view help, Labels labels) {
  begin(name, "info", help, "");
  name_ += "_info";
  add(1, labels);
}

}  // namespace rhizome::tools
