// What stages use and no key knows.
#include "toy_compiler.hpp"

#include <catch2/catch.hpp>

#include <functional>
#include <string>
#include <vector>

using namespace layerkey;
using toy::runs_of;

using runs = std::vector<int>;

namespace {

struct journal {
  std::vector<std::string> lines;
};
struct name_table {
  std::string prefix;
  mutable int asked = 0;
};

}  // namespace

template<>
struct layerkey::service<journal> {
  static constexpr layerkey::text reason = "says what happens; no stage reads it";
};
template<>
struct layerkey::service<name_table> {
  static constexpr layerkey::text reason = "one a process, and the same all along";
};

namespace {

struct infer : layer<> {
  static constexpr text name = "infer";
  using input = std::string;
  using artifact = std::string;
};
struct emit : layer<infer> {
  static constexpr text name = "emit";
  using input = std::string;
  using artifact = std::string;
};

struct options {
  int level = 0;
  using layerkey_fields = fields<field<&options::level, affects<emit>>>;
};

journal const* journal_of_infer;
journal const* journal_of_emit;
name_table const* table_of_emit;

}  // namespace

std::string infer_and_note(std::string const& f, view<infer, options>, journal& notes) {
  journal_of_infer = &notes;
  notes.lines.push_back("infer " + f);
  return f + " typed";
}
std::string emit_with_two(std::string const&, std::string const& typed, view<emit, options>,
                          name_table const& names, journal& notes) {
  journal_of_emit = &notes;
  table_of_emit = &names;
  ++names.asked;
  notes.lines.push_back("emit " + typed);
  return names.prefix + typed;
}
// Where it stands among what comes behind the view is the stage's own choice.
std::string emit_with_requester(std::string const& f, std::string const& typed,
                                view<emit, options> in, journal& notes, requester<emit> ask,
                                name_table const& names) {
  notes.lines.push_back("emit " + f);
  if (f == "f" && in.get<&options::level>() == 1) {
    auto const callee = ask.get<emit>("g");
    return names.prefix + typed + (callee ? "(" + *callee + ")" : "");
  }
  return names.prefix + typed;
}
std::string emit_reading_notes(std::string const&, std::string const& typed, view<emit, options>,
                               journal const& notes) {
  journal_of_emit = &notes;
  return typed;
}
std::string infer_alone(std::string const& f, view<infer, options>) { return f; }

TEST_CASE("a service goes to each stage that names it, and is the object that was given") {
  journal notes;
  name_table const names{"_"};
  pipeline<options, stage<infer_and_note>, stage<emit_with_two>> compiler{notes, names};
  CHECK(*compiler.get<emit>("f", {}) == "_f typed");
  CHECK(journal_of_infer == &notes);
  CHECK(journal_of_emit == &notes);
  CHECK(table_of_emit == &names);
  CHECK(names.asked == 1);
  CHECK(notes.lines == std::vector<std::string>{"infer f", "emit f typed"});
  // A hit asks no service.
  CHECK(compiler.get<emit>("f", {}));
  CHECK(notes.lines.size() == 2);
}

TEST_CASE("services are given in any order") {
  journal notes;
  name_table const names{"_"};
  pipeline<options, stage<infer_and_note>, stage<emit_with_two>> compiler{names, notes};
  CHECK(*compiler.get<emit>("f", {}) == "_f typed");
  CHECK(notes.lines.size() == 2);
}

TEST_CASE("a service that stages take as const may be given as it is") {
  journal notes;
  name_table names{"_"};
  pipeline<options, stage<infer_and_note>, stage<emit_with_two>> compiler{notes, names};
  CHECK(*compiler.get<emit>("f", {}) == "_f typed");
  CHECK(table_of_emit == &names);
}

TEST_CASE("one stage may change a service that another one only reads") {
  journal notes;
  pipeline<options, stage<infer_and_note>, stage<emit_reading_notes>> compiler{notes};
  CHECK(*compiler.get<emit>("f", {}) == "f typed");
  CHECK(journal_of_infer == &notes);
  CHECK(journal_of_emit == &notes);
}

TEST_CASE("services are in no key") {
  journal notes;
  name_table names{"_"};
  pipeline<options, stage<infer_and_note>, stage<emit_with_two>> compiler{notes, names};
  auto const first = compiler.get<emit>("f", {});
  names.prefix = "other";  // which breaks the promise of its reason, to show it
  CHECK(&*compiler.get<emit>("f", {}) == &*first);
  CHECK(runs_of(compiler.statistics()) == runs{1, 1});
}

TEST_CASE("a stage may take services and a requester, in any order") {
  journal notes;
  name_table const names{"_"};
  pipeline<options, stage<infer_alone>, stage<emit_with_requester>> compiler{notes, names};
  CHECK(*compiler.get<emit>("f", {.level = 1}) == "_f(_g)");
  CHECK(notes.lines == std::vector<std::string>{"emit f", "emit g"});
}

TEST_CASE("services and shared layers are given together, in any order") {
  journal notes;
  name_table const names{"_"};
  shared_layer<stage<infer_and_note>> inference;
  using compiler_type =
      pipeline<options, stage<emit_with_two>, shared_layer<stage<infer_and_note>>>;
  compiler_type one{names, inference, notes};
  journal other_notes;
  compiler_type other{other_notes, names, inference};
  CHECK(*one.get<emit>("f", {}) == "_f typed");
  CHECK(*other.get<emit>("f", {}) == "_f typed");
  CHECK(notes.lines == std::vector<std::string>{"infer f", "emit f typed"});
  CHECK(other_notes.lines == std::vector<std::string>{"emit f typed"});
}

TEST_CASE("a fake needs only the services that it takes") {
  journal notes;
  pipeline<options, stage<infer_and_note>, stage<emit_with_two>>::with<emit_reading_notes> compiler{
      notes};
  CHECK(*compiler.get<emit>("f", {}) == "f typed");
  CHECK(notes.lines == std::vector<std::string>{"infer f"});
}
