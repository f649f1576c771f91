#include "tools/report/document.hpp"

#include "scenarios/text/json.hpp"
#include "tools/carried.hpp"
#include "tools/markup/hash_source.hpp"
#include "tools/names.hpp"
#include "tools/report/blocks.hpp"

namespace rhizome::tools {

namespace {

// Inside of a script element, words that begin with < may end it or hide its end; JSON may write
// the sign as an escape.
std::string json_in_script(std::string_view json) {
  std::string escaped;
  for (const char c : json) c == '<' ? escaped += "\\u003c" : escaped += c;
  return escaped;
}

void add_scripts(Element body, std::span<const Chart> charts, const PageLibrary& library) {
  Json specs = Json::object();
  for (const Chart& chart : charts) specs[chart.id] = chart.spec;
  body.add("script", {{"type", "application/json"}, {"id", "charts"}})
      .text(json_in_script(line_of(specs)));
  body.end_line();
  body.add("script").text(library.script);
  body.end_line();
  body.add("script").text(carried_file("report/page.js"));
  body.end_line();
  add_details(body, "Licences of what draws the charts", std::string(library.licences));
}

// Allows no outside contents, and only the two scripts of the page: a script smuggled in by a
// foreign text does not run. Charts style their parts, and their library compiles the expressions
// of their specifications.
std::string policy_of(const PageLibrary& library) {
  std::string scripts = "'none'";
  if (!library.script.empty())
    scripts = hash_source(within_element(library.script, "script")) + " " +
              hash_source(within_element(carried_file("report/page.js"), "script")) +
              " 'unsafe-eval'";
  return "default-src 'none'; script-src " + scripts +
         "; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";
}

void add_document_head(Element page, const std::string& title, const PageLibrary& library) {
  Element head = page.add("head");
  head.end_line();
  head.add("meta", {{"charset", "utf-8"}});
  head.end_line();
  head.add("meta", {{"http-equiv", "Content-Security-Policy"}, {"content", policy_of(library)}});
  head.end_line();
  head.add("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}});
  head.end_line();
  head.add("link", {{"rel", "icon"}, {"href", "data:,"}});
  head.end_line();
  head.add("title").text(title);
  head.end_line();
  head.add("style").text(carried_file("report/page.css"));
  head.end_line();
  // No headings over nothing where a reader lets no scripts run.
  head.add("noscript").add("style").text(".drawn { display: none; }");
  head.end_line();
  page.end_line();
}

}  // namespace

std::string document_of(const std::string& title, std::span<const Chart> charts,
                        const PageLibrary& library, const std::function<void(Element)>& fill) {
  const Markup page("html", {{"lang", "en"}});
  page.root().end_line();
  add_document_head(page.root(), title, library);
  Element body = page.root().add("body");
  body.end_line();
  add_paragraph(body.add("noscript"), "bad",
                "The charts of this page are drawn by a script in it, and scripts are turned off "
                "here. Let them run, or have the charts as files: rhizome report --svg DIR.");
  body.end_line();
  Element main = body.add("main");
  main.end_line();
  fill(main);
  body.end_line();
  add_scripts(body, charts, library);
  page.root().end_line();
  return "<!DOCTYPE html>\n" + page.text();
}

}  // namespace rhizome::tools
