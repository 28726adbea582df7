#!/bin/sh
# What one run makes, later ones find: on disk, and on a server where there is one.
. "$(dirname "$0")/common.sh"
saxpy=$inputs/ptx/saxpy.bc
blur=$inputs/x86/blur.ll
all_of() { # all_of FOLDER: its files' digests by name
  (cd "$1" && sha256sum *.o *.s *.bc *.ptx 2>/dev/null)
}

# On disk, where the user's caches are.
run "$blur" --target x86-64-v3 -O1 -O2 --emit obj,asm,bc --out "$out/first"
check "it compiles: $stderr" [ "$status" -eq 0 ]
check "all of it" [ "$(row optimization) / $(row codegen)" = '6 4 2 / 4 0 4' ]
check "there is a cache" [ -d "$XDG_CACHE_HOME/layerkey" ]
run_again "$blur" --target x86-64-v3 -O1 -O2 --emit obj,asm,bc --out "$out/second" --cache-stats
check "nothing runs again: $stderr" [ "$(row optimization) / $(row codegen)" = '2 2 0 / 4 4 0' ]
check "the same files" [ "$(all_of "$out/first")" = "$(all_of "$out/second")" ]
check "the statistics say what was served" says "$stdout" 'served +6'
run_again "$blur" --target x86-64-v4 -O2 --out "$out/second"
check "another CPU is another artifact" [ "$(row codegen)" = '1 0 1' ]
run_again "$blur" --target x86-64-v3 -O2 --out "$out/third" --no-cache
check "--no-cache looks nowhere" [ "$(row codegen)" = '1 0 1' ]
check "and makes the same" cmp -s "$out/first/blur.x86-64-v3.O2.o" "$out/third/blur.x86-64-v3.O2.o"

# In a folder that was named.
rm -rf "$XDG_CACHE_HOME"
run_again "$saxpy" --target sm_75 --target sm_90 --out "$out/ptx" --cache "$out/kept"
check "it compiles into a cache of its own" [ "$(row codegen)" = '2 0 2' ]
check "and into no other" [ ! -e "$XDG_CACHE_HOME" ]
run_again "$saxpy" --target sm_75 --target sm_90 --out "$out/ptx" --cache "$out/kept"
check "which serves it" [ "$(row codegen)" = '2 2 0' ]
check "and asks for nothing else" [ "$(row optimization) / $(row specialize)" = '0 0 0 / 0 0 0' ]
run_again --cache "$out/kept" --cache-verify --cache-stats
check "all in it is right: $stderr" [ "$status" -eq 0 ]
check "four or five entries" says "$stdout" '^entries +[45]$'

# Damage: a compile that finds it goes on.
for file in "$out"/kept/entries*.mdb; do
  dd if=/dev/urandom of="$file" bs=1024 seek=9 count=40 conv=notrunc 2>/dev/null
done
run_again "$saxpy" --target sm_75 --target sm_90 --out "$out/ptx2" --cache "$out/kept"
check "a damaged cache fails nothing: $stderr" [ "$status" -eq 0 ]
check "the same PTX" [ "$(all_of "$out/ptx")" = "$(all_of "$out/ptx2")" ]
run_again --cache "$out/kept" --cache-verify
check "and is mended: $stdout $stderr" [ "$status" -eq 0 ]

# Less room.
run_again --cache "$out/kept" --cache-prune 0
check "it can be emptied: $stderr" [ "$status" -eq 0 ]
run_again "$saxpy" --target sm_75 --out "$out/ptx2" --cache "$out/kept"
check "and is empty" [ "$(row codegen)" = '1 0 1' ]

# A folder that cannot be one.
: >"$out/file"
run_again "$saxpy" --target sm_75 --out "$out/ptx2" --cache "$out/file"
check "no compile fails for want of a cache" [ "$status" -eq 0 ]
check "and it says why there is none" says "$stderr" "^layerkey-compile: .*$out/file"

# Parts of a batch: each job in exactly one.
run_again "$blur" --target x86-64-v2 --target x86-64-v3 --target x86-64-v4 -O0 -O1 -O2 -O3 --no-cache \
  --emit obj,asm --out "$out/whole"
for i in 1 2 3; do
  run_again "$blur" --target x86-64-v2 --target x86-64-v3 --target x86-64-v4 -O0 -O1 -O2 -O3 --no-cache \
    --emit obj,asm --out "$out/part$i" --shard $i/3
  check "part $i: $stderr" [ "$status" -eq 0 ]
done
check "no file in two parts" [ -z "$(for i in 1 2 3; do ls "$out/part$i"; done | sort | uniq -d)" ]
check "all parts are the whole" [ "$(for i in 1 2 3; do all_of "$out/part$i"; done | sort)" = \
  "$(all_of "$out/whole" | sort)" ]

# Usage.
for wrong in '--cache-prune 2X' '--cache-prune' '--shard 0/2' '--shard 3/2' '--shard 1' \
  '--no-cache --cache-stats' "--no-cache --cache $out/kept"; do
  run_again "$saxpy" --target sm_75 $wrong
  check "wrong usage: $wrong" [ "$status" -eq 2 ]
done

# A server that others use too.
if ! command -v redis-server >/dev/null; then
  [ "$failures" -eq 0 ] || finish
  echo "SKIPPED: all of the disk cache is right; there is no redis-server here"
  exit 4
fi
socket=$out/redis.sock
redis-server --port 0 --unixsocket "$socket" --save '' --appendonly no --dir "$out" >/dev/null 2>&1 &
server=$!
trap 'kill -KILL $server 2>/dev/null' EXIT
for try in $(seq 100); do [ -S "$socket" ] && break; sleep 0.1; done
server_is="--redis unix://$socket"
run_again "$blur" --target x86-64-v3 -O1 -O2 --out "$out/here" --cache "$out/one" $server_is
check "one machine makes: $stderr" [ "$(row codegen)" = '2 0 2' ]
run_again "$blur" --target x86-64-v3 -O1 -O2 --out "$out/there" --cache "$out/two" $server_is
check "the other one finds" [ "$(row codegen)" = '2 2 0' ]
check "the same" [ "$(all_of "$out/here")" = "$(all_of "$out/there")" ]

# The parts of a batch, joined by the server.
for i in 1 2; do
  run_again "$saxpy" --target sm_75 --target sm_90 -O0 -O1 -O3 --out "$out/joined" --cache "$out/part$i" \
    $server_is --shard $i/2
done
run_again "$saxpy" --target sm_75 --target sm_90 -O0 -O1 -O3 --out "$out/joined" --cache "$out/all" \
  $server_is
check "nothing is left to make: $stderr" [ "$(row codegen)" = '6 6 0' ]

# What others write there is used only where it is signed.
umask 077
head -c 32 /dev/urandom >"$out/secret"
export LAYERKEY_SECRET_FILE="$out/secret"
run_again "$blur" --target x86-64-v3 -O2 --out "$out/there" --cache "$out/three" $server_is
check "what is not signed is made again" [ "$(row codegen)" = '1 0 1' ]
run_again "$blur" --target x86-64-v3 -O2 --out "$out/there" --cache "$out/four" $server_is
check "what is signed is not" [ "$(row codegen)" = '1 1 0' ]
LAYERKEY_SECRET_FILE=$out/no_secret
run_again "$blur" --target x86-64-v3 -O2 --out "$out/there" --cache "$out/five" $server_is
check "without the secret nothing is used, and nothing fails" [ "$status $(row codegen)" = '0 1 0 1' ]
check "and it says so" says "$stderr" "no_secret"
unset LAYERKEY_SECRET_FILE

kill -KILL $server
wait $server 2>/dev/null
run_again "$blur" --target x86-64-v3 -O1 --out "$out/gone" --cache "$out/six" $server_is
check "without the server it compiles as well: $stderr" [ "$status $(row codegen)" = '0 1 0 1' ]
check "and says that it is gone" says "$stderr" 'note: .*redis'
finish
