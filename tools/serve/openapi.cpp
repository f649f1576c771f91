// The OpenAPI document of the table of routes.
#include <algorithm>
#include <string>

#include "tools/serve/routes.hpp"

namespace rhizome::tools {

using scenarios::Json;

namespace {

Json reference(std::string_view schema) {
  return {{"$ref", "#/components/schemas/" + std::string(schema)}};
}

Json value_schema(const ValueDoc& value) {
  Json schema = Json::object();
  if (value.nullable)
    schema["type"] = Json::array({std::string(value.type), "null"});
  else
    schema["type"] = std::string(value.type);
  schema["description"] = std::string(value.meaning);
  return schema;
}

Json schema_of(const SchemaDoc& doc) {
  Json properties = Json::object();
  Json required = Json::array();
  if (!doc.list.empty()) {
    properties[doc.list] = Json{{"type", "array"}, {"items", reference(doc.of_what)}};
    required.push_back(std::string(doc.list));
  }
  for (const ValueDoc& value : doc.values) {
    properties[value.name] = value_schema(value);
    if (value.required) required.push_back(std::string(value.name));
  }
  Json schema{{"type", "object"}, {"properties", properties}};
  if (!required.empty()) schema["required"] = required;
  return schema;
}

Json content(std::string_view type, std::string_view schema) {
  Json media = Json::object();
  media["schema"] = reference(schema);
  Json types = Json::object();
  types[type] = media;
  return types;
}

Json bytes() {
  Json types = Json::object();
  types["application/octet-stream"] = Json::object();
  return types;
}

Json problem(int status) {
  return {{"description", std::string(title_of(status))},
          {"content", content("application/problem+json", "Problem")}};
}

Json answers_of(const Route& route) {
  Json answers = Json::object();
  Json well{{"description", std::string(title_of(route.status))}};
  if (!route.answer.empty()) well["content"] = content("application/json", route.answer);
  answers[std::to_string(route.status)] = well;
  for (const int status : route.others)
    answers[std::to_string(status)] = status == 200 ? well
                                      : status < 400
                                          ? Json{{"description", std::string(title_of(status))}}
                                          : problem(status);
  if (!route.open)
    for (const int status : {400, 401, 403}) answers[std::to_string(status)] = problem(status);
  return answers;
}

Json parameter(const ValueDoc& value, std::string_view in) {
  Json schema = Json::object();
  schema["type"] = std::string(value.type);
  return {{"name", std::string(value.name)},
          {"in", std::string(in)},
          {"required", value.required},
          {"description", std::string(value.meaning)},
          {"schema", schema}};
}

Json operation_of(const Route& route) {
  Json parameters = Json::array();
  if (route.path.find("{id}") != std::string_view::npos)
    parameters.push_back(parameter({"id", "integer", "The number of a job."}, "path"));
  if (route.path.find("{hash}") != std::string_view::npos)
    parameters.push_back(
        parameter({"hash", "string", "The SHA-256 of a file, as sha256sum prints it."}, "path"));
  for (const ValueDoc& word : route.words) parameters.push_back(parameter(word, "query"));
  if (route.id == RouteId::submit)
    parameters.push_back(parameter(
        {"Idempotency-Key", "string", "By which a job that is sent again is the same.", false},
        "header"));
  if (std::ranges::count(route.others, 304) > 0)
    parameters.push_back(
        parameter({"If-None-Match", "string", "The ETag that is known.", false}, "header"));
  Json operation{{"operationId", std::string(route.operation)},
                 {"summary", std::string(route.summary)},
                 {"parameters", parameters}};
  if (!route.body.empty())
    operation["requestBody"] = Json{
        {"required", true},
        {"content", route.body == any_bytes ? bytes() : content("application/json", route.body)}};
  operation["responses"] = answers_of(route);
  if (route.open) operation["security"] = Json::array();
  return operation;
}

std::string small(std::string_view method) {
  std::string word(method);
  for (char& letter : word) letter = static_cast<char>(letter - 'A' + 'a');
  return word;
}

}  // namespace

Json openapi() {
  Json paths = Json::object();
  for (const Route& route : routes()) paths[route.path][small(route.method)] = operation_of(route);
  Json documents = Json::object();
  for (const SchemaDoc& doc : schemas()) documents[doc.name] = schema_of(doc);
  Json bearer{{"type", "http"}, {"scheme", "bearer"}};
  Json schemes = Json::object();
  schemes["token"] = bearer;
  Json components = Json::object();
  components["schemas"] = documents;
  components["securitySchemes"] = schemes;
  Json needed = Json::object();
  needed["token"] = Json::array();
  Json document = Json::object();
  document["openapi"] = "3.1.0";
  document["info"] = Json{{"title", "rhizome serve"}, {"version", RHIZOME_VERSION}};
  document["security"] = Json::array({needed});
  document["paths"] = paths;
  document["components"] = components;
  return document;
}

}  // namespace rhizome::tools
