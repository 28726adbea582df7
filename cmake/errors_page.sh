#!/bin/sh
# Prints docs/errors.md: every mistake that layerkey refuses at compile time, from the tests in
# tests/compile_fail and the sentences in the headers.
#   sh cmake/errors_page.sh > docs/errors.md
#   sh cmake/errors_page.sh --check   fails where the page is another, or a sentence has no test
# A test is one mistake: its first comment is the heading, `// expect:` leads to the sentence, and
# what differs between the file with and without SHOW_ERROR is what is wrong and what is right.
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."

intro() {
  cat <<'END'
# What does not compile

Every mistake that layerkey finds at compile time: what is wrong (`-`), what is right (`+`), and what the compiler
says. Each is one error. Its first line here is the constant that is false: struct, member, and what else matters
stand in its arguments, `...` for what each compiler prints in its own way. Of the names `params`, `job` and `target`
are structs of options, and the layers are those of `<layerkey/compiler_layers.hpp>`, `using namespace layerkey`.

The page is printed by `cmake/errors_page.sh` from `tests/compile_fail`, where each of these is compiled by g++ 12 and
clang 19, once wrong and once right. What is not found stands [at the end](#what-is-not-found-and-its-remedy).

END
}

not_found() {
  cat <<'END'
## What is not found, and its remedy

| what | seen by | remedy |
| --- | --- | --- |
| Params of which a translation unit makes no key, view or stage are not checked in it. | nobody, until a key is made | `static_assert(layerkey::complete<P>)` behind the struct: it costs nothing that the first key does not cost anyway. |
| A tag that is wrong: a member that a layer reads by other ways than its view, or `runtime_only` for what an artifact depends on. | no compiler | Give stages views only; compare artifacts over flipped options. |
| A private member of a class with `layerkey_uncounted` that no field lists. | clang, where `P{}` or `layerkey_defaults()` is a constant expression, else in `layerkey::testing::verify`; on g++ `verify` sees it where two of the given values differ by their own `operator==` and in no listed member | Compile it with clang once, as a test, or make it an aggregate. On g++ alone: give the class an `operator==`, and `verify` values of which each two differ in one private member. |
| An instance of a function template as a projection, in a stored key. | g++; clang prints no arguments of such a function | Compile it with g++ once, as a test; or write a function with a name of its own that calls it. |
| A bit-field that no accessor reads, because two accessors read another one. | both compilers, where accessors and the struct's initialisers are constant expressions; clang also by the accessors' names; `verify`, where the accessors can set | Make accessors `constexpr` and name each after its member. |
| A member in an anonymous union behind more than 128 members. | g++; clang, unless another member is made from anything by a constructor that may throw, such as `std::any` | Name the union's type and hold it in a `std::variant`. |
| A function in an unnamed namespace, or a `static` one, as a condition, projection or stage. | nobody: C++ does not tell linkage | Keys, views and caches in memory work. A stored key names functions by their identifiers: keep two of one name out of one layer. |
| Two functions of one name in different namespaces as projections of one member, over two versions of a program. | nobody: a schema fingerprint names functions and does not read them | Rename what changes its meaning. |
| A condition, projection or canonical form that reads more than its arguments, such as a global. | `verify`, where the value changes while it runs | Pass what it reads as a member. |
| A canonical form that is not idempotent, a projection that `represented_by` does not lead back to. | `verify` | |
END
}

page() {
  intro
  find include/layerkey -name '*.hpp' ! -path '*/llvm/*' | sort > "$work/headers"
  # shellcheck disable=SC2046
  awk -v check="${1:-}" '
    # ---- sentences of the headers --------------------------------------------------------------
    function literals(line,   all) {
      all = ""
      while (match(line, /"([^"\\]|\\.)*"/)) {
        all = all substr(line, RSTART + 1, RLENGTH - 2)
        line = substr(line, RSTART + RLENGTH)
      }
      gsub(/\\"/, "\"", all)
      return all
    }
    function topic_of(file) {
      if (file ~ /\/error\.hpp$/) return section
      if (file ~ /\/cache\//) return "stages and pipelines"
      if (file ~ /\/(encoding|fingerprint|identity)\.hpp$|\/schema\.hpp$/) return "stored keys"
      if (file ~ /\/(expect|invariant)\.hpp$/) return "configurations"
      if (file ~ /\/testing/) return "verifying"
      if (file ~ /mp11\.hpp$/) return "by the compiler itself"
      return "values"
    }
    function note_sentence(text, said,   id) {
      if (said !~ /^layerkey/) return
      id = text
      sub(/^[^(]*\([ ]*/, "", id)
      sub(/^(detail::|!)*/, "", id)
      id = match(id, /^[a-z]+(_[a-z]+)+</) ? substr(id, 1, RLENGTH - 1) : ""
      ++sentences
      sentence[sentences] = said
      constant[sentences] = id
      where[sentences] = FILENAME
      topic[sentences] = topic_of(FILENAME)
    }
    FILENAME != current { current = FILENAME; is_test = FILENAME ~ /compile_fail/; inside = 0; section = "other" }
    !is_test && /^\/\/ ---- .* -+$/ { section = $0; gsub(/^\/\/ -+ | -+$/, "", section) }
    !is_test && /^[ ]*\/\// { next }
    !is_test && /#error/ { inside = 1; text = "#error(" }
    !is_test && !inside && /static_assert\(/ && !/complete<[A-Z]>/ { inside = 1; text = "" }
    !is_test && inside {
      text = text $0
      if (/\);$/ || (text ~ /^#error/ && /"$/)) { note_sentence(text, literals(text)); inside = 0 }
    }

    # ---- tests ---------------------------------------------------------------------------------
    function matches(expect, n) {
      if (constant[n] != "" && index(expect, constant[n]) > 0) return 1
      sub(/^static assertion failed\.\*/, "", expect)
      return index(expect, "<") == 0 && sentence[n] ~ expect
    }
    function begin_test(   i) {
      ++tests
      name[tests] = FILENAME
      sub(/.*\//, "", name[tests])
      heading[tests] = expects[tests] = code[tests] = only[tests] = ""
      of[tests] = 0
      header = 1
      depth = 0
      side = " "
    }
    is_test && FNR == 1 { begin_test() }
    is_test && /^\/\/ expect: / {
      expect = substr($0, 12)
      for (i = 1; i <= sentences && !of[tests]; ++i)
        if (matches(expect, i)) of[tests] = i
      if (expects[tests] == "" || (of[tests] && constant[of[tests]] != "" &&
                                   index(expect, constant[of[tests]]) && !index(expects[tests], "<")))
        expects[tests] = expect
      for (i = 1; i <= sentences; ++i)
        if (matches(expect, i)) tested[i] = 1
      next
    }
    is_test && /^\/\/ only: / { only[tests] = substr($0, 10); next }
    is_test && /^\/\/ errors: / { next }
    is_test && header && /^\/\// { heading[tests] = heading[tests] (heading[tests] == "" ? "" : " ") substr($0, 4); next }
    is_test { header = 0 }
    is_test && /^#if/ {
      kind[++depth] = $0 ~ /SHOW_ERROR/ ? ($1 == "#ifdef" ? "-" : "+") : ""
      if (kind[depth] != "") { side = kind[depth]; next }
    }
    is_test && /^#else/ && kind[depth] != "" { side = side == "-" ? "+" : "-"; next }
    is_test && /^#endif/ { if (kind[depth--] != "") { side = " "; next } }
    is_test && (/^#include/ || /^using namespace layerkey;$/ || /^\/\/ clang-format/) { next }
    is_test && /^$/ && (code[tests] == "" || code[tests] ~ /\n \n$/) { next }
    is_test { code[tests] = code[tests] side $0 "\n" }

    # ---- the page ------------------------------------------------------------------------------
    function readable(regex) {
      sub(/^static assertion failed\.\*/, "", regex)
      gsub(/\[UL\]\*|\(UL\)\?| \?>/, ">", regex)
      gsub(/>>+,/, ">,", regex); gsub(/>,/, ",", regex)
      gsub(/\\/, "", regex)
      gsub(/\.\*/, "...", regex)
      if (regex !~ /\|/ && gsub(/</, "<", regex) > gsub(/>/, ">", regex)) regex = regex "...>"
      gsub(/\|/, " | ", regex)
      return regex
    }
    function wrapped(prose,   words, count, i, line, all) {
      count = split(prose, words, " ")
      line = words[1]
      all = ""
      for (i = 2; i <= count; ++i)
        if (length(line) + length(words[i]) + 1 > 110) { all = all line "\n"; line = words[i] }
        else line = line " " words[i]
      return all line
    }
    function print_test(t,   title, rest, dot) {
      dot = index(heading[t], ". ")
      title = dot ? substr(heading[t], 1, dot - 1) : heading[t]
      rest = dot ? substr(heading[t], dot + 2) : ""
      sub(/\.$/, "", title)
      print "### " title "\n"
      if (rest != "") print wrapped(rest) "\n"
      if (only[t] != "") print "Found by " only[t] " alone.\n"
      gsub(/\n \n$/, "\n", code[t])
      gsub(/(^|\n) (\n)/, "\n\n", code[t])
      printf "```diff\n%s```\n\n", code[t]
      print "```text"
      if (!of[t] || constant[of[t]] != "") print readable(expects[t])
      if (of[t]) print wrapped(sentence[of[t]])
      print "```\n"
    }
    END {
      count = split("the list of fields|tags|values|functions|refinements|conditions|views|stages and pipelines|stored keys|configurations|verifying|by the compiler itself", order, "|")
      for (k = 1; k <= count; ++k) {
        printed = 0
        for (i = 1; i <= sentences + 1; ++i)
          for (t = 1; t <= tests; ++t)
            if ((i <= sentences && of[t] == i && topic[i] == order[k]) || (i > sentences && !of[t] && order[k] == "by the compiler itself")) {
              if (!printed++) print "## " toupper(substr(order[k], 1, 1)) substr(order[k], 2) "\n"
              print_test(t)
            }
      }
      failed = 0
      for (i = 1; i <= sentences; ++i)
        if (!tested[i] && check != "") {
          print "no test in tests/compile_fail expects, of " where[i] ": " sentence[i] > "/dev/stderr"
          failed = 1
        }
      for (t = 1; t <= tests; ++t)
        if (heading[t] == "") { print name[t] " has no comment to be its heading" > "/dev/stderr"; failed = 1 }
      exit check != "" && failed
    }' $(cat "$work/headers") $(ls tests/compile_fail/*.cpp)
  not_found
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case ${1:-} in
  '') page ;;
  --check)
    page check > "$work/page" || { echo "errors_page.sh: a sentence has no test" >&2; exit 1; }
    diff -u docs/errors.md "$work/page" >&2 || {
      echo "docs/errors.md is not what cmake/errors_page.sh prints: sh cmake/errors_page.sh > docs/errors.md" >&2
      exit 1
    }
    ;;
  *) echo "usage: sh cmake/errors_page.sh [--check]" >&2; exit 2 ;;
esac
