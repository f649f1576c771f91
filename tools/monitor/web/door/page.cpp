#include "tools/monitor/web/door/page.hpp"

#include <array>
#include <span>
#include <stdexcept>
#include <string_view>

#include "tools/carried.hpp"
#include "tools/markup/hash_source.hpp"

namespace rhizome::tools {

namespace {

using Parts = std::span<const std::string_view>;

constexpr std::array<std::string_view, 20> scripts{
    "token.js",  "codec.js",  "state.js",  "story.js",     "overlay.js", "tree.js", "heat.js",
    "charts.js", "events.js", "drawer.js", "recording.js", "stored.js",  "side.js", "stream.js",
    "slider.js", "steer.js",  "fault.js",  "header.js",    "listen.js",  "page.js"};
constexpr std::array<std::string_view, 1> styles{"page.css"};
constexpr std::array<std::string_view, 2> scripts_of_jobs{"token.js", "jobs.js"};
constexpr std::array<std::string_view, 2> styles_of_jobs{"page.css", "jobs.css"};

std::string joined(Parts parts) {
  std::string text;
  for (const std::string_view name : parts) text += carried_file("web/" + std::string(name));
  return text;
}

void put_within(std::string& html, std::string_view element, const std::string& text) {
  const std::size_t end = html.find("</" + std::string(element) + ">");
  if (end == std::string::npos) throw std::logic_error("the page has no place for its parts");
  html.insert(end, text);
}

// Allows only the contents of the page and answers of this server, and no frame around it.
std::string policy_for(const std::string& script, const std::string& style) {
  return "default-src 'none'; script-src " + hash_source(script) + "; style-src " +
         hash_source(style) +
         "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
         "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";
}

WebPage make_page(std::string_view html, Parts style_parts, Parts script_parts) {
  // A function of its own, so that the page has no names but the browser's.
  const std::string script = "(() => {\n'use strict';\n" + joined(script_parts) + "})();\n";
  const std::string style = joined(style_parts);
  WebPage page{std::string(carried_file(html)), policy_for(script, style)};
  put_within(page.html, "style", style);
  put_within(page.html, "script", script);
  return page;
}

}  // namespace

const WebPage& web_page() {
  static const WebPage page = make_page("web/page.html", styles, scripts);
  return page;
}

const WebPage& jobs_page() {
  static const WebPage page = make_page("web/jobs.html", styles_of_jobs, scripts_of_jobs);
  return page;
}

}  // namespace rhizome::tools
