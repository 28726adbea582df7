#!/bin/sh
# Everything from a fresh clone:  sh cmake/fresh.sh demo | test | full | bench
#   demo    builds layerkey-compile and its inputs, then runs the demonstration (cmake/demo.sh)
#   test    builds each preset and runs the tests of all of them as one CTest run
#   full    the same with LAYERKEY_FULL=1: the large numbers
#   bench   builds the benchmarks and runs each
# On Debian 12 missing packages are installed; elsewhere what is missing is named.
set -eu

command=${1:-}
case $command in
  demo | test | full | bench) ;;
  *) echo "usage: sh cmake/fresh.sh demo | test | full | bench" >&2; exit 2 ;;
esac
cd "$(dirname "$0")/.."
mkdir -p build

start=$(date +%s)
jobs=$(getconf _NPROCESSORS_ONLN)
phase=
phase() {
  phase=$1
  printf '\n== %s (after %s s)\n' "$phase" $(($(date +%s) - start))
}
trap '[ $? -eq 0 ] || echo "fresh.sh: failed: $phase" >&2' EXIT

# What the command needs: a Debian package, and elsewhere a probe for what it holds.
needed() {
  echo 'g++ has_program g++'
  echo 'cmake has_program cmake'
  echo 'ninja-build has_program ninja'
  echo 'libboost1.81-dev has_header boost/mp11.hpp'
  echo 'llvm-19-dev has_llvm'
  echo 'clang-19 has_program clang++-19'
  echo 'libclc-19 test -e /usr/lib/clc/nvptx64--.bc -o -e /usr/share/clc/nvptx64--.bc'
  echo 'libstb-dev has_header stb/stb_image.h'
  echo 'pkg-config has_program pkg-config'
  echo 'liblmdb-dev has_header lmdb.h'
  echo 'libhiredis-dev has_header hiredis/hiredis.h'
  echo 'libsodium-dev has_header sodium.h'
  echo 'libzstd-dev has_header zstd.h'
  echo 'libxxhash-dev has_header xxhash.h'
  echo 'catch2 has_header catch2/catch.hpp'
  echo 'libbenchmark-dev has_header benchmark/benchmark.h'
  case $command in test | full)
    echo 'libclang-rt-19-dev has_sanitizers'
    echo 'redis-server has_program redis-server'
    echo 'slurmctld has_program slurmctld'
    echo 'slurmd has_program slurmd'
    echo 'slurm-client has_program sbatch'
    echo 'munge has_program munged'
    echo 'libfmt-dev has_header fmt/format.h'
    echo 'valgrind has_program valgrind' ;;
  bench)
    echo 'liburcu-dev has_header urcu/rculfhash.h'
    echo 'libtbb-dev has_header tbb/concurrent_hash_map.h' ;;
  esac
}
has_program() (PATH=$PATH:/usr/sbin; command -v "$1")
has_header() { echo "#include <$1>" | g++ -std=c++20 -E -x c++ -; }
has_llvm() { { llvm-config-19 --version || llvm-config --version; } | grep '^19\.1\.'; }
has_sanitizers() { echo 'int main() {}' | clang++-19 -fsanitize=address,undefined -x c++ - -o build/probe; }

install_on_debian() {
  missing=$(needed | while read -r package _; do
    dpkg-query -W -f '${db:Status-Status}\n' "$package" 2>/dev/null | grep -qx installed || echo "$package"
  done)
  [ -n "$missing" ] || return 0
  phase "install$(printf ' %s' $missing)"
  as_root=
  if [ "$(id -u)" -ne 0 ]; then
    as_root=sudo
    command -v sudo >/dev/null || { echo "install these packages, or run as root" >&2; exit 1; }
  fi
  apt="$as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q"
  $apt update
  $apt install -y --no-install-recommends $missing
}

check_elsewhere() {
  missing=$(needed | while read -r package probe; do
    $probe </dev/null >/dev/null 2>&1 || echo "  $package"
  done)
  [ -n "$missing" ] || return 0
  echo "missing, under the names of Debian's packages:" >&2
  echo "$missing" >&2
  exit 1
}

build() { # build PRESET [TARGET...]
  preset=$1
  shift
  phase "configure $preset"
  cmake --preset "$preset"
  phase "build $preset"
  cmake --build --preset "$preset" -j "$jobs" ${1:+--target "$@"}
}

run_tests() { # run_tests SECONDS-A-TEST
  presets='gcc clang clang-asan clang-tsan'
  for preset in $presets; do build "$preset"; done
  echo "subdirs($presets)" >build/CTestTestfile.cmake
  phase "test $presets"
  status=0
  ctest --test-dir build --output-on-failure --no-tests=error -j "$jobs" --timeout "$1" \
    --output-log build/ctest.log || status=$?
  echo "Skipped: $(grep -c '\*\*\*Skipped' build/ctest.log || true)"
  return $status
}

phase "look for what is needed"
if (. /etc/os-release && [ "$ID $VERSION_ID" = 'debian 12' ]) 2>/dev/null; then
  install_on_debian
else
  check_elsewhere
fi

case $command in
  demo)
    build gcc layerkey-compile layerkey-demo demo_inputs
    phase "demo"
    sh cmake/demo.sh "$PWD/build/gcc"
    ;;
  test) run_tests 300 ;;
  full)
    export LAYERKEY_FULL=1
    run_tests 7200
    ;;
  bench)
    build gcc benchmarks
    for file in bench/*.cpp; do
      phase "bench $file"
      "build/gcc/bench/$(basename "$file" .cpp)"
    done
    ;;
esac
