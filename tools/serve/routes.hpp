// The table of routes: what can be asked of a server of jobs. What it answers, what methods it
// allows and its OpenAPI document are made from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/text/json.hpp"

namespace rhizome::tools {

// A value of a request or an answer.
struct ValueDoc {
  std::string_view name;
  std::string_view type;  // of JSON Schema: "integer", "number", "string", "boolean", "object"
  std::string_view meaning;
  bool required = true;
  bool nullable = false;
};
// An object, by which requests and answers are described.
struct SchemaDoc {
  std::string_view name;
  std::vector<ValueDoc> values;
  std::string_view list{};     // a value of it that is a list,
  std::string_view of_what{};  // of such objects
};
[[nodiscard]] std::span<const SchemaDoc> schemas();

enum class RouteId : std::uint8_t {
  submit,
  list,
  show,
  tasks,
  results,
  cancel,
  health,
  ready,
  metrics,
  openapi
};

struct Route {
  RouteId id;
  std::string_view operation;
  std::string_view method;
  std::string_view path;  // in which {id} is the number of a job
  std::string_view summary;
  std::vector<ValueDoc> words{};  // behind its question mark
  std::string_view body{};        // a schema
  std::string_view answer{};      // a schema; empty: no JSON
  int status = 200;               // where all is well
  std::vector<int> others{};      // statuses, besides those that every request may have
  bool open = false;              // to everybody of this machine
};
[[nodiscard]] std::span<const Route> routes();

// The routes of that path, of several methods; and the number within, where there is one.
struct Match {
  std::vector<const Route*> routes{};
  std::uint64_t id = 0;
};
[[nodiscard]] Match match(std::string_view path);

// OpenAPI 3.1.0.
[[nodiscard]] scenarios::Json openapi();

// What a status of HTTP is called.
[[nodiscard]] std::string_view title_of(int status);

}  // namespace rhizome::tools
