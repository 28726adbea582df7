// For check_stores.sh, which looks at each load and store of this program: hits by one thread and
// then by another, for each table, between stores to a place that it knows.
#include "compiler.hpp"
#include "measure.hpp"
#include "tables.hpp"

#include <sys/mman.h>

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace {

using namespace lookup;

constexpr std::size_t jobs = 64;

// Of row n: reader r begins at 64 n + 16 r and ends at 8 behind that.
u64 volatile* marks;
std::size_t rows = 0;

template<class Options, class Table>
[[gnu::noinline]] u64 hits(Table& table) {
  auto const& all = options().as<Options>();
  u64 sum = 0;
  for (std::size_t job = 0; job != jobs; ++job)
    sum += table.find(job / configurations, all[job % configurations]);
  return sum;
}

template<class Options, class Table>
void trace(reader_pair& readers, Table& table, char const* name) {
  auto* const mark = marks + 8 * rows++;
  u64 expected = 0;
  for (std::size_t job = 0; job != jobs; ++job)
    expected += artifact_of(job / configurations, options().params[job % configurations]);
  for (int reader = 0; reader != 2; ++reader)
    readers.run(
        1,
        [&](int i) {
          auto&& asked = reader_of(table);
          // Once before: what a thread needs of its own is there then.
          bool right = hits<Options>(asked) == expected;
          // Whoever else did something waits by then.
          std::this_thread::sleep_for(std::chrono::milliseconds(20));
          mark[2 * i] = 1;
          u64 const sum = hits<Options>(asked);
          mark[2 * i + 1] = 1;
          right = right && sum == expected;
          if (!right) std::abort();
        },
        reader);
  std::printf("%zu %zu %s\n", rows - 1, jobs, name);
}

template<class Table>
void trace_both(reader_pair& readers, char const* by_params, char const* by_sealed) {
  static Table table;
  for (std::size_t job = 0; job != jobs; ++job) {
    auto const& params = options().params[job % configurations];
    u64 const input = job / configurations;
    table.insert(input, params, artifact_of(input, params));
  }
  trace<fixed_params>(readers, table, by_params);
  trace<sealed_params>(readers, table, by_sealed);
}

}  // namespace

int main() {
  auto* const place = reinterpret_cast<void*>(0x2'0000'0000);
  auto* const page = mmap(place, 4096, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (page != place) {
    std::fprintf(stderr, "no memory where the marks belong\n");
    return 1;
  }
  marks = static_cast<u64*>(page);

  reader_pair readers;
  trace_both<pipeline_find>(readers, "layerkey find()", "layerkey find(), sealed");
  trace_both<pipeline_get>(readers, "layerkey get()", "layerkey get(), sealed");
  trace_both<flat_map_without_lock>(readers, "flat_map without lock",
                                    "flat_map without lock, sealed");
  trace_both<unordered_map_with_shared_mutex>(readers, "shared_mutex", "shared_mutex, sealed");
  trace_both<sharded<spinlock>>(readers, "spinlocks", "spinlocks, sealed");
  std::printf("done\n");
}
