// The routes of a server of jobs. The dispatch of requests, the allowed methods and the OpenAPI
// document are made from this table.
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
// An object in a request or an answer.
struct SchemaDoc {
  std::string_view name;
  std::vector<ValueDoc> values;
  std::string_view list{};     // the name of a value that is a list
  std::string_view of_what{};  // the schema of its elements
};
[[nodiscard]] std::span<const SchemaDoc> schemas();

enum class RouteId : std::uint8_t {
  submit,
  list,
  show,
  tasks,
  results,
  cancel,
  upload,
  file,
  health,
  ready,
  metrics,
  openapi
};

inline constexpr std::string_view any_bytes = "bytes";

struct Route {
  RouteId id;
  std::string_view operation;
  std::string_view method;
  std::string_view path;  // {id} is the number of a job, {hash} the SHA-256 of a file
  std::string_view summary;
  std::vector<ValueDoc> words{};  // parameters of the query
  std::string_view body{};        // name of a schema, or any_bytes
  std::string_view answer{};      // name of a schema; empty: no JSON
  int status = 200;               // the status of success
  std::vector<int> others{};      // further statuses, besides those of every request
  bool open = false;              // needs no token
};
[[nodiscard]] std::span<const Route> routes();

// The routes of a path, one for each method, and the value of {id} or {hash} in the path.
struct Match {
  std::vector<const Route*> routes{};
  std::uint64_t id = 0;
  std::string hash{};
};
[[nodiscard]] Match match(std::string_view path);

// OpenAPI 3.1.0.
[[nodiscard]] scenarios::Json openapi();

// The standard title of an HTTP status.
[[nodiscard]] std::string_view title_of(int status);

}  // namespace rhizome::tools
