#!/bin/sh
# Processes that share a store, and builds that may or may not share what is in it.
#   sh processes.sh STORED_COMPILER FOLDER [ANOTHER_BUILD_OF_IT]
set -u
program=$1
folder=$2
other=${3:-}
rm -rf "$folder"
mkdir -p "$folder"
failures=0
checks=0

check() { # check WHAT EXPECTED GIVEN
  checks=$((checks + 1))
  [ "$2" = "$3" ] && return
  failures=$((failures + 1))
  printf 'FAILED: %s: expected\n%s\nand not\n%s\n' "$1" "$2" "$3"
}
lines() { printf '%s\n' "$@"; }
made=$(lines 'f strict 2' 'parsed f' 'parse 1' 'emit 1')
found=$(lines 'f strict 2' 'parsed f' 'parse 0' 'emit 0')

check "the first makes it" "$made" "$("$program" "$folder/s" shared f)"
check "the second finds it" "$found" "$("$program" "$folder/s" shared f)"
check "another level takes the parsed text" "$(lines 'f strict 3' 'parsed f' 'parse 0' 'emit 1')" \
  "$("$program" "$folder/s" shared f 3)"
check "a failure is not stored" "$(lines 'cannot parse it' 'parse 1' 'emit 0')" \
  "$("$program" "$folder/s" shared wrong)"
check "it fails again" "$(lines 'cannot parse it' 'parse 1' 'emit 0')" \
  "$("$program" "$folder/s" shared wrong)"

# Two at once: one makes it, the other waits.
"$program" "$folder/s" shared g >"$folder/one" &
"$program" "$folder/s" shared g >"$folder/two"
wait
check "both have it" 2 "$(cat "$folder/one" "$folder/two" | grep -c '^g strict 2$')"
check "one parsed" 1 "$(cat "$folder/one" "$folder/two" | grep -c '^parse 1$')"
check "one emitted" 1 "$(cat "$folder/one" "$folder/two" | grep -c '^emit 1$')"

# One that is killed while it makes something keeps nobody waiting.
"$program" "$folder/s" shared h >/dev/null &
sleep 0.1
kill -KILL $!
wait $! 2>/dev/null
check "who comes next makes it" "$(lines 'h strict 2' 'parsed h' 'parse 1' 'emit 1')" \
  "$("$program" "$folder/s" shared h)"

if [ "$other" ]; then
  check "another compiler's build of the same sources finds it" "$found" "$("$other" "$folder/s" shared f)"
  check "and what it makes is found" "$(lines 'i strict 2' 'parsed i' 'parse 1' 'emit 1')" \
    "$("$other" "$folder/s" shared i)"
  check "by this one" "$(lines 'i strict 2' 'parsed i' 'parse 0' 'emit 0')" \
    "$("$program" "$folder/s" shared i)"
  check "what a build keeps to itself" "$made" "$("$program" "$folder/s" build f)"
  check "it finds" "$found" "$("$program" "$folder/s" build f)"
  check "and the other one does not" "$made" "$("$other" "$folder/s" build f)"
fi
echo "$checks checks, $failures failures"
[ "$failures" -eq 0 ]
