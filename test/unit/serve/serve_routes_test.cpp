// The table of routes of a server of jobs, and the document that is made of it.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tools/serve/routes.hpp"

namespace rhizome::serve_routes_test {

using scenarios::Json;
using tools::match;
using tools::RouteId;

namespace {

// "GET showJob 17".
std::string matched(const std::string& path) {
  std::string text;
  const tools::Match found = match(path);
  for (const tools::Route* route : found.routes)
    text += std::string(route->method) + " " + std::string(route->operation) + " ";
  return found.routes.empty() ? "none" : text + std::to_string(found.id);
}

}  // namespace

TEST_CASE("a path is found with the number of its job, and nothing that is only like one") {
  CHECK(matched("/jobs") == "POST submitJob GET listJobs 0");
  CHECK(matched("/jobs/17") == "GET showJob DELETE cancelJob 17");
  CHECK(matched("/jobs/17/tasks") == "GET listTasks 17");
  CHECK(matched("/jobs/4611686018427387904/results") == "GET listResults 4611686018427387904");
  for (const std::string path :
       {"", "/", "/job", "/jobs/", "/jobs/0", "/jobs/-1", "/jobs/+1", "/jobs/01", "/jobs/1x",
        "/jobs/1/", "/jobs//tasks", "/jobs/1/tasks/2", "/jobs/1/task", "/jobs/99999999999999999999",
        "/jobs/4611686018427387905", "/Jobs", "/health/", "/jobs/{id}", "//jobs"}) {
    CAPTURE(path);
    CHECK(matched(path) == "none");
  }
}

TEST_CASE("operations have different names, and the schemas that they name are described") {
  std::set<std::string_view> names;
  std::set<std::string_view> schemas{""};
  for (const tools::SchemaDoc& doc : tools::schemas()) schemas.insert(doc.name);
  for (const tools::SchemaDoc& doc : tools::schemas()) CHECK(schemas.contains(doc.of_what));
  for (const tools::Route& route : tools::routes()) {
    CHECK(names.insert(route.operation).second);
    CHECK((route.body == tools::any_bytes || schemas.contains(route.body)));
    CHECK(schemas.contains(route.answer));
    for (const int status : route.others) CHECK(tools::title_of(status) != "Error");
  }
  CHECK(names.size() == static_cast<std::size_t>(RouteId::openapi) + 1);
}

TEST_CASE("the OpenAPI document has every route with its parameters, answers and problems") {
  const Json document = tools::openapi();
  CHECK(document.at("openapi").get<std::string>() == "3.1.0");
  for (const tools::Route& route : tools::routes()) {
    const Json& path = document.at("paths").at(route.path);
    const Json& operation = path.at(route.method == "GET"    ? "get"
                                    : route.method == "POST" ? "post"
                                    : route.method == "PUT"  ? "put"
                                                             : "delete");
    CHECK(operation.at("operationId").get<std::string>() == route.operation);
    CHECK(operation.at("responses").contains(std::to_string(route.status)));
    CHECK(operation.at("responses").contains("401") == !route.open);
    CHECK(operation.contains("requestBody") == !route.body.empty());
  }
  const Json& show = document.at("paths").at("/jobs/{id}").at("get");
  CHECK(show.at("parameters").at(0).at("in").get<std::string>() == "path");
  const Json& job = document.at("components").at("schemas").at("Job");
  CHECK(job.at("properties").at("finished").at("type").at(1).get<std::string>() == "null");
  CHECK(job.at("required").size() == job.at("properties").size());
  const Json& page = document.at("components").at("schemas").at("JobPage").at("properties");
  CHECK(page.at("jobs").at("items").at("$ref").get<std::string>() == "#/components/schemas/Job");
}

}  // namespace rhizome::serve_routes_test
