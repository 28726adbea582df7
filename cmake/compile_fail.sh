#!/bin/sh
# Checks that a file does not compile, and what the compiler says about it:
#   sh compile_fail.sh FILE COMPILER FLAG...
# The file says what is expected, with the macro SHOW_ERROR defined:
#   // expect: REGEX     some line of the output matches (as grep -E takes it); at least one such line
#   // errors: N         the output holds N lines with " error: "; 1 where the file does not say
set -u
export LC_ALL=C # g++ prints other quotes elsewhere
file=$1
shift

fail() {
  printf 'compile_fail: %s: %s\nThe compiler said:\n%s\n' "$file" "$1" "$output"
  exit 1
}

output=$("$@" -DSHOW_ERROR "$file" 2>&1) && fail "compiles, although it should not"
# Not the source lines that the compiler quotes: they may hold the expectation itself.
messages=$(printf '%s\n' "$output" | grep -Ev '^ *[0-9]* +\|')

expected=$(sed -n 's,^.*// expect: ,,p' "$file")
[ -n "$expected" ] || fail "has no line '// expect: REGEX'"
while IFS= read -r regex; do
  printf '%s\n' "$messages" | grep -Eq -e "$regex" || fail "no line matches '$regex'"
done <<END
$expected
END

errors=$(sed -n 's,^.*// errors: ,,p' "$file")
count=$(printf '%s\n' "$messages" | grep -c ' error: ')
[ "$count" -eq "${errors:-1}" ] || fail "has $count errors, not ${errors:-1}"
