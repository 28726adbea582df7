# Sourced by the tests of layerkey-compile. Arguments: the program, the demo's inputs, LLVM's tools and a
# folder for output, which is emptied.
set -u
export LC_ALL=C NO_COLOR=1
compile=$1
inputs=$2
tools=$3
out=$4
rm -rf "$out"
mkdir -p "$out"
broken=$(dirname "$0")/../../examples/multi_target/inputs/broken
failures=0
checks=0

fail() {
  printf 'FAILED: %s\n' "$1"
  failures=$((failures + 1))
}

# check WHAT COMMAND...: the command must succeed
check() {
  checks=$((checks + 1))
  what=$1
  shift
  "$@" || fail "$what"
}

# Runs layerkey-compile as if for the first time; leaves $status, $stdout and $stderr.
export XDG_CACHE_HOME="$out/.cache"
run() {
  rm -rf "$XDG_CACHE_HOME"
  run_again "$@"
}
run_again() {
  "$compile" "$@" >"$out/stdout" 2>"$out/stderr"
  status=$?
  stdout=$(cat "$out/stdout")
  stderr=$(cat "$out/stderr")
}

says() { printf '%s\n' "$1" | grep -Eq -e "$2"; }

# The counters of a layer in the table: row LAYER -> "requests served run"
row() { printf '%s\n' "$stdout" | awk -v layer="$1" '$1 == layer { print $2, $3, $4 }'; }

finish() {
  echo "$checks checks, $failures failures"
  [ "$checks" -gt 0 ] && [ "$failures" -eq 0 ]
  exit
}
