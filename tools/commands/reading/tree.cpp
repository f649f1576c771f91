
#include "scenarios/text/duration_text.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/shell.hpp"
#include "tools/commands/commands.hpp"
#include "tools/commands/stored.hpp"
#include "tools/tree/render.hpp"

namespace rhizome::tools {

namespace {

using core::Time;

Time time_in(const std::string& text) {
  if (text == "end") return Time::max();
  const auto since = scenarios::parse_duration(text);
  if (!since) throw UsageError("\"" + text + "\" is no time such as 2.5s, nor the word end");
  return Time{} + *since;
}

std::string time_text(Time at) {
  return at == Time::max() ? "at the end" : "at " + scenarios::duration_text(at - Time{});
}

// The moves after the first time, up to the second.
Exit show_moves(const scenarios::Outcome& outcome, const std::string& span) {
  const std::size_t dots = span.find("..");
  if (dots == std::string::npos)
    throw UsageError("--diff takes two times, such as 1s..2.5s, not \"" + span + "\"");
  const Time from = time_in(span.substr(0, dots));
  std::vector<scenarios::TreeMove> moves =
      scenarios::moves_until(outcome, time_in(span.substr(dots + 2)));
  std::erase_if(moves, [from](const scenarios::TreeMove& move) { return move.at <= from; });
  print_text(text_of(moves));
  return Exit::holds;
}

// Links of overlays are stored as they were at the last measurement.
Exit show_links(const scenarios::HeldLinks& held, const std::string& format,
                const std::string& title, const std::string& label, const Arguments& arguments) {
  if (arguments.text("at").value_or("end") != "end")
    throw UsageError(
        "the links of an overlay are stored as they are at the end; to see them at any time, "
        "record them while the run goes on (rhizome monitor --record FILE --views), and show the "
        "recording (rhizome monitor FILE --web); for a picture of cycle 50, let a run end there: "
        "rhizome run SCENARIO -s " +
        shell_word("scheduler." + label + ".cycles=50"));
  print_text(format == "dot"       ? dot_of(held)
             : format == "graphml" ? graphml_of(held)
             : format == "svg"     ? svg_of(held, title)
                                   : text_of(held));
  return Exit::holds;
}

}  // namespace

Exit tree_command(const Arguments& arguments) {
  const std::string format = arguments.text("output").value_or("text");
  if (arguments.has("diff") && (arguments.has("at") || format != "text"))
    throw UsageError("--diff is a list of moves: it takes neither --at nor --output");
  const Time at = time_in(arguments.text("at").value_or("end"));
  const scenarios::Outcome outcome = read_stored(arguments);
  if (const auto span = arguments.text("diff")) return show_moves(outcome, *span);
  const scenarios::Tree tree = scenarios::tree_at(outcome, at);
  const std::string title =
      outcome.identity.scenario + ", " + outcome.identity.label + ", " + time_text(at);
  const scenarios::HeldLinks held = scenarios::held_links(outcome);
  if (tree.members() <= 1 && !held.links.empty())
    return show_links(held, format, title + ", random links", outcome.identity.label, arguments);
  if (format != "text" && tree.members() == 0)
    throw UsageError("no peer is in a tree then, so that there is nothing to draw");
  print_text(format == "dot"       ? dot_of(tree, outcome)
             : format == "graphml" ? graphml_of(tree, outcome)
             : format == "svg"     ? svg_of(tree, outcome, title)
                                   : text_of(tree, outcome, measure_tree(outcome, at)));
  return Exit::holds;
}

}  // namespace rhizome::tools
