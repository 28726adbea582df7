#!/bin/sh
# check.sh PROGRAM: fails where layerkey needs more instructions than keys packed by hand allow.
# Exits with 4 where valgrind is missing.
set -eu
program=$1
if ! command -v valgrind > /dev/null; then
  echo "valgrind is not installed"
  exit 4
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
status=0
valgrind -q --tool=callgrind --callgrind-out-file="$out/count" "$program" || status=$?
if [ "$status" -ne 0 ]; then exit "$status"; fi

awk '
  /^desc: Trigger: Client Request:/ { name = $NF }
  /^(summary|totals):/ && name != "" { count[name] = $2; name = "" }
  function check(what, mine, theirs, limit,   ratio) {
    if (!((what "/" mine) in count) || !((what "/" theirs) in count)) {
      printf "%-12s not counted\n", what
      failed = 1
      return
    }
    ratio = count[what "/" mine] / count[what "/" theirs]
    printf "%-12s %-15s %.3f times %-11s", what, mine, ratio, theirs
    if (limit == 0) { print ""; return }
    if (ratio > limit) failed = 1
    printf " (at most %.2f)%s\n", limit, (ratio > limit) ? "  TOO MANY" : ""
  }
  END {
    n = split("hash equal both layers", what, " ")
    for (i = 1; i <= n; ++i) {
      check("fixed/" what[i], "layerkey", "hand_packed", what[i] == "both" ? 1.05 : 0)
      check("full/" what[i], "layerkey", "hand_packed", what[i] == "both" ? 1.1 : 0)
    }
    check("fixed/both", "layerkey_sealed", "hand_sealed", 1.1)
    check("full/both", "layerkey_sealed", "hand_sealed", 1.1)
    exit failed
  }' "$out"/count.*
