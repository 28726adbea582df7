// The tables that are compared. Each has
//   insert(input, params, artifact)
//   find(input, options)     options: params or sealed params; the artifact, or 0
// and what its library wants of threads: enter() before and leave() after use, quiescent() now and
// then. All get the same key, hash and comparison, and are asked without making a key.
#pragma once

#include "jobs.hpp"

#include <layerkey/detail/whole_value.hpp>

#include <boost/unordered/unordered_flat_map.hpp>

#include <atomic>
#include <bit>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <unordered_map>

#ifdef LAYERKEY_BENCH_URCU
#define URCU_NO_COMPAT_IDENTIFIERS
#define _LGPL_SOURCE  // readers inline, the faster way
#include <urcu/rculfhash.h>
#include <urcu/urcu-memb.h>
#include <urcu/urcu-qsbr.h>
extern "C" rcu_flavor_struct const urcu_memb_flavor;
extern "C" rcu_flavor_struct const urcu_qsbr_flavor;
#endif
#ifdef LAYERKEY_BENCH_TBB
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_unordered_map.h>
#endif

namespace lookup {

// ---- keys of the peers -------------------------------------------------------------------------

// One cache line. The hash stays with the key, so that no table computes it twice.
struct job_key {
  layerkey::key<codegen, fixed_params> params;
  u64 input;
  u64 hash;
};

inline u64 hash_of(u64 hash_of_params, u64 input) {
  return layerkey::detail::whole_value<u64>::hash_of(input, hash_of_params);
}

// What a table is asked with: no key is made of params or sealed params.
template<class Options>
struct asked;

template<>
struct asked<fixed_params> {
  fixed_params const& params;
  u64 input;
  u64 hash;

  [[gnu::always_inline]] asked(u64 in, fixed_params const& p)
      : params(p), input(in), hash(hash_of(layerkey::key_hash<codegen>{}(p), in)) {}
};
template<>
struct asked<sealed_params> {
  sealed_params const& params;
  u64 input;
  u64 hash;

  [[gnu::always_inline]] asked(u64 in, sealed_params const& p)
      : params(p), input(in), hash(hash_of(p.hash<codegen>(), in)) {}
};

struct job_equal {
  using is_transparent = void;

  [[gnu::always_inline]] bool operator()(job_key const& a, job_key const& b) const {
    return a.input == b.input && a.params == b.params;
  }
  template<class Options>
  [[gnu::always_inline]] bool operator()(asked<Options> const& a, job_key const& b) const {
    return a.input == b.input && layerkey::key_equal<codegen>{}(b.params, a.params);
  }
  template<class Options>
  [[gnu::always_inline]] bool operator()(job_key const& a, asked<Options> const& b) const {
    return (*this)(b, a);
  }
};

struct job_hash {
  using is_transparent = void;
  using is_avalanching = void;              // Boost
  using transparent_key_equal = job_equal;  // oneTBB

  [[gnu::always_inline]] std::size_t operator()(job_key const& k) const { return k.hash; }
  template<class Options>
  [[gnu::always_inline]] std::size_t operator()(asked<Options> const& a) const {
    return a.hash;
  }
};

inline job_key key_of(u64 input, fixed_params const& params) {
  return {layerkey::make_key<codegen>(params), input,
          hash_of(layerkey::key_hash<codegen>{}(params), input)};
}

// ---- limits ------------------------------------------------------------------------------------

struct any_thread {
  static void enter() {}
  static void leave() {}
  static void quiescent() {}
};

using flat_map = boost::unordered_flat_map<job_key, u64, job_hash, job_equal>;

template<class Map, class Asked>
[[gnu::always_inline]] inline u64 found_in(Map& map, Asked const& asked) {
  auto const found = map.find(asked);
  return found == map.end() ? 0 : found->second;
}

struct flat_map_without_lock : any_thread {
  flat_map map;

  void insert(u64 input, fixed_params const& params, u64 artifact) {
    map.emplace(key_of(input, params), artifact);
  }
  template<class Options>
  u64 find(u64 input, Options const& options) const {
    return found_in(map, asked<Options>(input, options));
  }
};

// What the best call site could do that asks for one job again and again.
struct one_entry : any_thread {
  job_key key{layerkey::make_key<codegen>(fixed_params{}), 0, 0};
  u64 artifact = 0;

  void insert(u64 input, fixed_params const& params, u64 made) {
    key = key_of(input, params);
    artifact = made;
  }
  template<class Options>
  u64 find(u64 input, Options const& options) const {
    return job_equal{}(asked<Options>(input, options), key) ? artifact : 0;
  }
};

// ---- peers -------------------------------------------------------------------------------------

struct unordered_map_with_shared_mutex : any_thread {
  std::unordered_map<job_key, u64, job_hash, job_equal> map;
  std::shared_mutex mutex;

  void insert(u64 input, fixed_params const& params, u64 artifact) {
    auto const key = key_of(input, params);
    std::unique_lock const lock(mutex);
    map.emplace(key, artifact);
  }
  template<class Options>
  u64 find(u64 input, Options const& options) {
    std::shared_lock const lock(mutex);
    return found_in(map, asked<Options>(input, options));
  }
};

class spinlock {
 public:
  void lock() {
    while (taken_.exchange(true, std::memory_order_acquire))
      for (int i = 0; taken_.load(std::memory_order_relaxed); ++i)
        if (i == 100) std::this_thread::yield(), i = 0;
  }
  void unlock() { taken_.store(false, std::memory_order_release); }
  void lock_shared() { lock(); }
  void unlock_shared() { unlock(); }

 private:
  std::atomic<bool> taken_ = false;
};

template<class Mutex>
struct sharded : any_thread {
  struct alignas(64) shard {
    Mutex mutex;
    flat_map map;
  };
  shard shards[16];

  // Not by the top bits of the hash: those place the entry inside its map.
  shard& of(u64 hash) { return shards[hash >> 20 & 15]; }

  void insert(u64 input, fixed_params const& params, u64 artifact) {
    auto const key = key_of(input, params);
    auto& in = of(key.hash);
    std::unique_lock const lock(in.mutex);
    in.map.emplace(key, artifact);
  }

  template<class Options>
  u64 find(u64 input, Options const& options) {
    lookup::asked<Options> const asked(input, options);
    auto& in = of(asked.hash);
    std::shared_lock const lock(in.mutex);
    return found_in(in.map, asked);
  }
};

#ifdef LAYERKEY_BENCH_TBB
struct tbb_hash_map : any_thread {
  struct hash_compare {
    using is_transparent = void;
    template<class K>
    std::size_t hash(K const& k) const {
      return job_hash{}(k);
    }
    template<class A, class B>
    bool equal(A const& a, B const& b) const {
      return job_equal{}(a, b);
    }
  };
  using map_type = tbb::concurrent_hash_map<job_key, u64, hash_compare>;
  map_type map;

  void insert(u64 input, fixed_params const& params, u64 artifact) {
    map.insert({key_of(input, params), artifact});
  }
  template<class Options>
  u64 find(u64 input, Options const& options) {
    typename map_type::const_accessor found;
    return map.find(found, asked<Options>(input, options)) ? found->second : 0;
  }
};

struct tbb_unordered_map : any_thread {
  tbb::concurrent_unordered_map<job_key, u64, job_hash> map;

  void insert(u64 input, fixed_params const& params, u64 artifact) {
    map.insert({key_of(input, params), artifact});
  }
  template<class Options>
  u64 find(u64 input, Options const& options) {
    return found_in(map, asked<Options>(input, options));
  }
};
#endif

#ifdef LAYERKEY_BENCH_URCU
struct urcu_memb {
  static constexpr auto flavor = &urcu_memb_flavor;
  static void enter() { urcu_memb_register_thread(); }
  static void leave() { urcu_memb_unregister_thread(); }
  static void quiescent() {}
  static void read_lock() { urcu_memb_read_lock(); }
  static void read_unlock() { urcu_memb_read_unlock(); }
};
struct urcu_qsbr {
  static constexpr auto flavor = &urcu_qsbr_flavor;
  static void enter() { urcu_qsbr_register_thread(); }
  static void leave() { urcu_qsbr_unregister_thread(); }
  static void quiescent() { urcu_qsbr_quiescent_state(); }
  static void read_lock() {}
  static void read_unlock() {}
};

template<class Flavor>
struct lfht : Flavor {
  struct node : cds_lfht_node {
    job_key key;
    u64 artifact;
  };

  // As large as it has to be from the beginning; it would grow there by and by. It is never
  // destroyed: that would need each node to be taken out first.
  cds_lfht* table;

  explicit lfht(std::size_t entries) {
    auto const buckets = std::bit_ceil(entries);
    table = cds_lfht_new_flavor(buckets, buckets, 0, CDS_LFHT_AUTO_RESIZE, Flavor::flavor, nullptr);
  }

  static node& at(cds_lfht_node* found) { return *static_cast<node*>(found); }

  void insert(u64 input, fixed_params const& params, u64 artifact) {
    auto* const made = new node{{}, key_of(input, params), artifact};
    cds_lfht_node_init(made);
    Flavor::read_lock();
    auto const matches = [](cds_lfht_node* found, void const* asked) -> int {
      return job_equal{}(at(found).key, *static_cast<job_key const*>(asked));
    };
    if (cds_lfht_add_unique(table, made->key.hash, matches, &made->key, made) != made) delete made;
    Flavor::read_unlock();
    Flavor::quiescent();
  }

  template<class Options>
  u64 find(u64 input, Options const& options) {
    lookup::asked<Options> const asked(input, options);
    auto const matches = [](cds_lfht_node* found, void const* wanted) -> int {
      return job_equal{}(*static_cast<lookup::asked<Options> const*>(wanted), at(found).key);
    };
    cds_lfht_iter iterator;
    Flavor::read_lock();
    cds_lfht_lookup(table, asked.hash, matches, &asked, &iterator);
    auto* const found = cds_lfht_iter_get_node(&iterator);
    u64 const artifact = found ? at(found).artifact : 0;
    Flavor::read_unlock();
    return artifact;
  }
};
#endif

}  // namespace lookup
