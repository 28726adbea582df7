// "Is this job compiled?": what a hit costs in layerkey and in other tables, with one reader, two
// readers, and a writer beside them; and whether a stage that runs holds hits up. All tables are
// asked in turn in each round, so compare within a run: what else the machine does hits all alike.
//   lookup [--quick]
#include "lookup/compiler.hpp"
#include "lookup/measure.hpp"
#include "lookup/running_stage.hpp"
#include "lookup/tables.hpp"

#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace lookup;

struct effort {
  int rounds = 41;
  int rounds_with_writer = 21;
  int retries = 6;                  // of a slice that was disturbed
  std::chrono::seconds budget{30};  // of each kind of rounds; where it is used up they end early
  std::chrono::milliseconds stage{1000};
};

enum class role { limit, peer, own };

struct row {
  std::unique_ptr<contender> table;
  role is;

  // ns a lookup, a round each; with one reader and with two
  std::vector<double> params[2] = {};
  std::vector<double> sealed[2] = {};

  // Two readers in longer slices.
  std::vector<double> alone = {};
  std::vector<double> beside_writer = {};
  std::size_t inserts = 0;
  double seconds = 0;

  u64 misses = 0;  // though each job that is asked for is there
};

// The rows that goals are about.
char const found[] = "layerkey find()";
char const called[] = "layerkey call_site, one job";
char const flat[] = "boost::unordered_flat_map, no lock";
char const entry[] = "one entry, one job";

class comparison {
 public:
  comparison(std::size_t entries, effort const& e) : entries_(entries), effort_(e) {
    add<pipeline_find>(role::own, found);
    add<pipeline_get>(role::own, "layerkey get()").compiles = true;
    auto& site = add<pipeline_call_site>(role::own, called);
    site.compiles = site.one_job = true;

    add<flat_map_without_lock>(role::limit, flat).concurrent = false;
    auto& one = add<one_entry>(role::limit, entry);
    one.concurrent = false;
    one.one_job = true;

    add<unordered_map_with_shared_mutex>(role::peer, "std::unordered_map + shared_mutex");
    add<sharded<std::shared_mutex>>(role::peer, "16 flat_maps + shared_mutex");
    add<sharded<spinlock>>(role::peer, "16 flat_maps + spinlock");
#ifdef LAYERKEY_BENCH_TBB
    add<tbb_hash_map>(role::peer, "tbb::concurrent_hash_map");
    add<tbb_unordered_map>(role::peer, "tbb::concurrent_unordered_map");
#endif
#ifdef LAYERKEY_BENCH_URCU
    add<lfht<urcu_memb>>(role::peer, "liburcu cds_lfht, memb", entries);
    add<lfht<urcu_qsbr>>(role::peer, "liburcu cds_lfht, qsbr", entries);
#endif
  }

  bool is_right() {
    for (auto& each : rows_) {
      for (std::size_t job = 0; job != entries_; ++job) each.table->insert(job);
      if (each.table->is_right(entries_)) continue;
      std::fprintf(stderr, "%s does not find what it holds\n", each.table->name.c_str());
      return false;
    }
    return true;
  }

  void run(reader_pair& readers) {
    jobs const popular = {zipf(entries_, 1), zipf(entries_, 2)};
    job_sequence const same(sequence_length, static_cast<std::uint32_t>(entries_ - 1));
    jobs const one_job = {same, same};

    repeat(effort_.rounds, [&](row& each) {
      auto const& asked = each.table->one_job ? one_job : popular;
      each.table->measure(readers, asked, 2, false);  // other tables have filled the caches
      for (int count = 1; count <= 2; ++count)
        for (bool const sealed : {false, true}) {
          auto& to = sealed ? each.sealed : each.params;
          to[count - 1].push_back(undisturbed(each, [&] {
                                    return each.table->measure(readers, asked, count, sealed);
                                  }).ns);
        }
    });

    std::size_t next = entries_ + 8'000'000;
    repeat(effort_.rounds_with_writer, [&](row& each) {
      if (!each.table->concurrent || each.table->one_job) return;
      each.table->measure(readers, popular, 2, false);
      each.alone.push_back(undisturbed(each, [&] {
                             return each.table->measure_with_writer(readers, popular, nullptr);
                           }).ns);
      auto const with = undisturbed(
          each, [&] { return each.table->measure_with_writer(readers, popular, &next); });
      each.beside_writer.push_back(with.ns);
      each.inserts += with.inserts;
      each.seconds += with.seconds;
    });
  }

  void print() const {
    std::printf("\n%zu entries, ns a lookup: median, and the least in brackets\n", entries_);
    std::printf("%-36s %-37s %-37s %s\n", "", "by params", "by sealed params",
                "by params, two readers");
    std::printf("%-36s %13s %13s %9s %13s %13s %9s %7s %14s %9s\n", "", "one reader", "two", "gain",
                "one reader", "two", "gain", "alone", "beside writer", "inserts/s");
    for (auto const& each : rows_) {
      std::printf("%-36s", each.table->name.c_str());
      for (auto const* times : {&each.params, &each.sealed}) {
        for (auto const& of : *times)
          std::printf(" %6.1f (%4.1f)", median(of), *std::min_element(of.begin(), of.end()));
        std::printf(" %9.2f", 2 * median((*times)[0]) / median((*times)[1]));
      }
      if (!each.alone.empty())
        std::printf(" %7.1f %14.1f %9.0f", median(each.alone), median(each.beside_writer),
                    static_cast<double>(each.inserts) / each.seconds);
      std::printf("\n");
    }
    for (auto const& each : rows_)
      if (each.misses != 0)
        std::printf("%s missed entries that were there, %llu times\n", each.table->name.c_str(),
                    static_cast<unsigned long long>(each.misses));
    std::printf("%zu of %zu slices were disturbed in each try\n\n", disturbed_, slices_);
  }

  void print_goals() const {
    auto const& own = of(found);
    auto const& limit = of(flat);
    bool const few = entries_ <= 1'000;
    goal("find() by params / flat_map without lock, one reader", own.params[0], limit.params[0],
         1.15);
    goal("find() by params / flat_map without lock, two readers", own.params[1], limit.params[1],
         1.15);
    for (auto const& each : rows_)
      if (each.is == role::peer)
        goal("find() by params / " + each.table->name + ", two readers", own.params[1],
             each.params[1], 1);
    double const sealed_limit = few ? 1.25 : 1.2;
    goal("find() by sealed params / flat_map without lock, one reader", own.sealed[0],
         limit.sealed[0], sealed_limit);
    goal("find() by sealed params / flat_map without lock, two readers", own.sealed[1],
         limit.sealed[1], sealed_limit);
    row const* best = nullptr;
    for (auto const& each : rows_)
      if (each.is == role::peer && (!best || median(each.params[1]) < median(best->params[1])))
        best = &each;
    goal("find() by sealed params / best peer by params (" + best->table->name + "), two readers",
         own.sealed[1], best->params[1], few ? 0.6 : 0.75);
    goal("call_site by params / one entry", of(called).params[0], of(entry).params[0], 2);
    goal("call_site by sealed params / one entry", of(called).sealed[0], of(entry).sealed[0], 2);
    print_goal("find() by params, two readers / one, lookups a second",
               2 * median(own.params[0]) / median(own.params[1]), "at least", 1.9,
               2 * median(own.params[0]) >= 1.9 * median(own.params[1]));
    goal("find() by params, two readers, with 1,000 inserts a second / without", own.beside_writer,
         own.alone, 1.05);
    std::fflush(stdout);
  }

 private:
  using jobs = job_sequence[2];

  template<class Table, class... A>
  contender& add(role is, char const* name, A&&... a) {
    rows_.push_back({std::make_unique<contender_of<Table>>(name, std::forward<A>(a)...), is});
    return *rows_.back().table;
  }

  row const& of(char const* name) const {
    return *std::find_if(rows_.begin(), rows_.end(),
                         [&](row const& each) { return each.table->name == name; });
  }

  template<class Round>
  void repeat(int rounds, Round const& round) {
    auto const end = lookup::clock::now() + effort_.budget;
    for (int i = 0; i != rounds && (i == 0 || lookup::clock::now() < end); ++i)
      for (auto& each : rows_) round(each);
  }

  template<class Measure>
  slice undisturbed(row& of, Measure const& measure) {
    auto last = measure();
    of.misses += last.misses;
    for (int i = 0; i != effort_.retries && !last.undisturbed; ++i) {
      last = measure();
      of.misses += last.misses;
    }
    ++slices_;
    disturbed_ += !last.undisturbed;
    return last;
  }

  static void goal(std::string const& what, std::vector<double> const& a,
                   std::vector<double> const& b, double most) {
    double const ratio = median(a) / median(b);
    print_goal(what, ratio, "at most", most, ratio <= most);
  }

  std::size_t entries_;
  effort effort_;
  std::vector<row> rows_;
  std::size_t slices_ = 0;
  std::size_t disturbed_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
  effort e;
  if (argc == 2 && std::strcmp(argv[1], "--quick") == 0) {
    e = {1, 1, 0, std::chrono::seconds(1), std::chrono::milliseconds(50)};
    std::printf("one round: shows that it works, and no more\n");
  } else if (argc != 1) {
    std::fprintf(stderr, "usage: lookup [--quick]\n");
    return 2;
  }
#ifndef LAYERKEY_BENCH_TBB
  std::printf("left out, since oneTBB is not here: its two maps\n");
#endif
#ifndef LAYERKEY_BENCH_URCU
  std::printf("left out, since liburcu is not here: cds_lfht\n");
#endif
  reader_pair readers;
  if (processors().size() < 2) std::printf("one processor: two readers take turns on it\n");
  for (auto const entries : {std::size_t{1'000}, std::size_t{100'000}}) {
    comparison compared(entries, e);
    if (!compared.is_right()) return 1;
    compared.run(readers);
    compared.print();
    compared.print_goals();
  }
  compare_beside_stage(readers, e.stage);
}
