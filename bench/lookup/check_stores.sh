#!/bin/sh
# check_stores.sh PROGRAM: counts the stores of a hit, and those among them to a cache line that
# another thread's hits read or write too. Fails where layerkey has such a store, or where tables
# with locks seem to have none. Exits with 4 where valgrind is missing.
set -eu
program=$1
if ! command -v valgrind > /dev/null; then
  echo "valgrind is not installed"
  exit 4
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

valgrind --tool=lackey --trace-mem=yes --log-fd=9 "$program" 9>&1 > "$out/rows" |
  awk '/^ [LSM] /' | awk -v rows="$out/rows" '
  function number(text,   i, n) {
    n = 0
    for (i = 1; i <= length(text); ++i) n = 16 * n + index("0123456789abcdef", substr(text, i, 1)) - 1
    return n
  }
  BEGIN { row = -1; marks = number("200000000") }
  {
    split($2, part, ",")
    at = number(part[1])
    if (at >= marks && at < marks + 4096) {
      at = (at - marks) / 8
      row = at % 2 == 0 ? int(at / 8) : -1
      reader = int(at % 8 / 2)
      next
    }
    if (row < 0) next
    first = int(at / 64)
    last = int((at + part[2] - 1) / 64)
    for (line = first; line <= last; ++line) {
      used[row, reader, line] = 1
      if ($1 != "L") ++stored[row, reader, line]
    }
  }
  END {
    for (each in stored) {
      split(each, part, SUBSEP)
      all[part[1]] += stored[each]
      if ((part[1], 1 - part[2], part[3]) in used) shared[part[1]] += stored[each]
    }
    printf "%-32s %14s %26s\n", "", "stores a hit", "to a line of both threads"
    while ((getline line < rows) > 0) {
      if (line == "done") { done = 1; continue }
      split(line, part, " ")
      name = substr(line, length(part[1] part[2]) + 3)
      hits = 2 * part[2]
      printf "%-32s %14.2f %26.2f", name, all[part[1]] / hits, shared[part[1]] / hits
      wrong = name ~ /^layerkey/ && shared[part[1]] + 0 != 0 ||
              name ~ /lock|mutex/ && name !~ /without/ && shared[part[1]] < hits
      if (wrong) failed = 1
      print wrong ? "  WRONG" : ""
    }
    if (!done) print "the program did not come to its end"
    exit failed || !done
  }'
