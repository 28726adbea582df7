// Each stage writes down what it sees. So a member that is in a key has to change what is written,
// and one that changes it has to be in the key.
#include "stages.hpp"
#include "workloads.hpp"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace julia;
using layerkey::same_key;

constexpr method_instance asks{3}, does_not_ask{4};

// ---- kernels -----------------------------------------------------------------------------------

using kernel_artifacts = std::array<std::string, 7>;

kernel_artifacts artifacts_of(method_instance const& f, cuda::kernel_launch const& l) {
  kernel_artifacts all;
  all[0] = infer(f, view<inference, cuda::config>(l.config));
  all[1] = emit_ir(f, all[0], view<irgen, cuda::config>(l.config));
  all[2] = fill_globals(f, all[1], view<target_globals, ptx_target>(l.config.target));
  all[3] = optimize(all[2], view<optimization, cuda::config>(l.config));
  all[4] = emit_code(f, all[3], view<machine_code, cuda::config>(l.config));
  all[5] = julia::link(f, all[4], view<linking, cuda::kernel_launch>(l));
  all[6] = make_host_object(f, all[5], view<host_object, cuda::kernel_launch>(l));
  return all;
}

std::array<bool, 7> same_keys(cuda::kernel_launch const& a, cuda::kernel_launch const& b) {
  return {same_key<inference>(a, b),      same_key<irgen>(a, b),
          same_key<target_globals>(a, b), same_key<optimization>(a, b),
          same_key<machine_code>(a, b),   same_key<linking>(a, b),
          same_key<host_object>(a, b)};
}

template<class Params>
struct change {
  char const* member;
  void (*apply)(Params&);
};

using launch = cuda::kernel_launch;
using gpucompiler::feature_set, gpucompiler::thread_counts;

// A change of each member, and some that are none to the layers.
constexpr change<launch> kernel_changes[] = {
    {"cap", [](launch& l) { l.config.target.cap = {8, 0}; }},
    {"ptx", [](launch& l) { l.config.target.ptx = {8, 3}; }},
    {"feature_set", [](launch& l) { l.config.target.feature_set = feature_set::arch; }},
    {"debuginfo", [](launch& l) { l.config.target.debuginfo ^= true; }},
    {"minthreads", [](launch& l) { l.config.target.minthreads = thread_counts{.x = 32}; }},
    {"maxthreads", [](launch& l) { l.config.target.maxthreads = thread_counts{2, 32, 4}; }},
    {"maxthreads, spelled", [](launch& l) { l.config.target.maxthreads = {{3, 256, 1, 1}}; }},
    {"blocks_per_sm", [](launch& l) { l.config.target.blocks_per_sm = 2; }},
    {"maxregs", [](launch& l) { l.config.target.maxregs = 64; }},
    {"fastmath", [](launch& l) { l.config.target.fastmath ^= true; }},
    {"exitable", [](launch& l) { l.config.target.exitable = true; }},
    {"unreachable", [](launch& l) { l.config.target.unreachable = true; }},
    {"sm", [](launch& l) { l.config.params.sm.feature_set = feature_set::family; }},
    {"params.ptx", [](launch& l) { l.config.params.ptx = {8, 6}; }},
    {"kernel", [](launch& l) { l.config.kernel ^= true; }},
    {"name", [](launch& l) { l.config.name = "a_b"; }},
    {"name, spelled", [](launch& l) { l.config.name = "k+1"; }},
    {"entry_abi", [](launch& l) { l.config.entry_abi = gpucompiler::entry_abi::func; }},
    {"always_inline", [](launch& l) { l.config.always_inline ^= true; }},
    {"opt_level", [](launch& l) { l.config.opt_level = 3; }},
    {"debug_level", [](launch& l) { l.config.debug_level += 1; }},
    {"libraries", [](launch& l) { l.config.libraries ^= true; }},
    {"optimize", [](launch& l) { l.config.optimize ^= true; }},
    {"cleanup", [](launch& l) { l.config.cleanup ^= true; }},
    {"validate", [](launch& l) { l.config.validate ^= true; }},
    {"strip", [](launch& l) { l.config.strip ^= true; }},
    {"toplevel", [](launch& l) { l.config.toplevel ^= true; }},
    {"only_entry", [](launch& l) { l.config.only_entry ^= true; }},
    {"context", [](launch& l) { l.context += 1; }},
    {"callable", [](launch& l) { l.callable += 1; }}};

std::vector<launch> kernel_bases() {
  auto const plain = for_device({9, 0});
  std::vector<launch> all(7, plain);
  all[1].config.kernel = false;
  all[2].config.toplevel = false;
  all[3].config.debug_level = 0;
  all[4].config.optimize = false;
  all[5].config.debug_level = 2;
  all[6].config.name = "k-1";
  all[6].config.target.maxthreads = thread_counts{.x = 256};
  return all;
}

TEST_CASE("a kernel's keys are equal exactly where its stages see the same", "[julia]") {
  for (auto const& base : kernel_bases())
    for (auto const& [member, apply] : kernel_changes) {
      auto changed = base;
      apply(changed);
      auto const keys = same_keys(base, changed);
      auto const before = artifacts_of(asks, base), after = artifacts_of(asks, changed);
      for (std::size_t layer = 0; layer != keys.size(); ++layer) {
        INFO(member << ", layer " << layer);
        CHECK((before[layer] == after[layer]) == keys[layer]);
      }
      // Where the kernel does not ask for its target, some keys are apart that need not be; early
      // cutoff sees to that. The other way round would be stale artifacts.
      auto const b = artifacts_of(does_not_ask, base), a = artifacts_of(does_not_ask, changed);
      for (std::size_t layer = 0; layer != keys.size(); ++layer) {
        INFO(member << ", layer " << layer);
        if (keys[layer]) CHECK(b[layer] == a[layer]);
      }
    }
}

TEST_CASE("the runtime library's key is equal where its stages see the same", "[julia]") {
  auto const made = [](launch const& l) {
    return emit_runtime({}, view<runtime_functions, cuda::config>(l.config));
  };
  for (auto const& base : kernel_bases())
    for (auto const& [member, apply] : kernel_changes) {
      auto changed = base;
      apply(changed);
      INFO(member);
      CHECK((made(base) == made(changed)) == same_key<runtime_functions>(base, changed));
    }
}

TEST_CASE("IR is the same for all targets exactly if the kernel does not ask", "[julia]") {
  auto const filled = [](method_instance const& f, launch const& l) {
    return artifacts_of(f, l)[2];
  };
  auto const a = for_device({8, 0}), b = for_device({9, 0});
  CHECK(filled(does_not_ask, a) == filled(does_not_ask, b));
  CHECK(filled(asks, a) != filled(asks, b));
}

// ---- derivatives -------------------------------------------------------------------------------

using enzyme::autodiff, enzyme::activity;
using params = enzyme::enzyme_params<enzyme::primal_params>;

std::array<std::string, 4> artifacts_of(method_instance const& f, autodiff const& c) {
  std::array<std::string, 4> all;
  all[0] = infer_for_enzyme(f, view<inference, enzyme::primal_params>(c.params.params));
  all[1] = emit_primal_ir(f, all[0], view<irgen, autodiff>(c));
  all[2] = differentiate(f, all[1], view<derivative, params>(c.params));
  all[3] = finish(f, all[2], view<thunk, autodiff>(c));
  return all;
}

std::array<bool, 4> same_keys(autodiff const& a, autodiff const& b) {
  return {same_key<inference>(a, b), same_key<irgen>(a, b), same_key<derivative>(a, b),
          same_key<thunk>(a, b)};
}

void set_mode(autodiff& c, enzyme::derivative_mode mode) {
  c.params.mode = c.params.params.mode = mode;
}

constexpr change<autodiff> autodiff_changes[] = {
    {"cpu", [](autodiff& c) { c.target.target.cpu = "znver4"; }},
    {"features", [](autodiff& c) { c.target.target.features = {"+avx2"}; }},
    {"llvm_always_inline", [](autodiff& c) { c.target.target.llvm_always_inline ^= true; }},
    {"jlruntime", [](autodiff& c) { c.target.target.jlruntime ^= true; }},
    {"mode", [](autodiff& c) { set_mode(c, enzyme::derivative_mode::reverse_gradient); }},
    {"mode, forward", [](autodiff& c) { set_mode(c, enzyme::derivative_mode::forward); }},
    {"tt", [](autodiff& c) { c.params.tt.push_back({activity::active, "Float32"}); }},
    {"width", [](autodiff& c) { c.params.width += 1; }},
    {"rt", [](autodiff& c) { c.params.rt = {{activity::duplicated, "Float64"}}; }},
    {"run_enzyme", [](autodiff& c) { c.params.run_enzyme ^= true; }},
    {"abiwrap", [](autodiff& c) { c.params.abiwrap ^= true; }},
    {"modified_between", [](autodiff& c) { c.params.modified_between.push_back(true); }},
    {"return_primal", [](autodiff& c) { c.params.return_primal ^= true; }},
    {"shadow_init", [](autodiff& c) { c.params.shadow_init ^= true; }},
    {"expected_tape_type", [](autodiff& c) { c.params.expected_tape_type = "Tuple{}"; }},
    {"abi", [](autodiff& c) { c.params.abi = enzyme::thunk_abi::non_generated; }},
    {"err_if_func_written", [](autodiff& c) { c.params.err_if_func_written ^= true; }},
    {"runtime_activity", [](autodiff& c) { c.params.runtime_activity ^= true; }},
    {"strong_zero", [](autodiff& c) { c.params.strong_zero ^= true; }},
    {"always_inline", [](autodiff& c) { c.always_inline ^= true; }},
    {"opt_level", [](autodiff& c) { c.opt_level = 0; }},
    {"debug_level", [](autodiff& c) { c.debug_level = 2; }},
    {"validate", [](autodiff& c) { c.validate ^= true; }},
    {"entry_abi", [](autodiff& c) { c.entry_abi = gpucompiler::entry_abi::func; }}};

TEST_CASE("a derivative's keys are equal exactly where its stages see the same", "[julia]") {
  std::vector<autodiff> bases(3);
  bases[1].params.abiwrap = false;
  set_mode(bases[2], enzyme::derivative_mode::forward);
  bases[2].params.rt = {{activity::duplicated, "Float64"}};
  for (auto const& base : bases)
    for (auto const& [member, apply] : autodiff_changes) {
      auto changed = base;
      apply(changed);
      auto const keys = same_keys(base, changed);
      auto const before = artifacts_of(does_not_ask, base);
      auto const after = artifacts_of(does_not_ask, changed);
      for (std::size_t layer = 0; layer != keys.size(); ++layer) {
        INFO(member << ", layer " << layer);
        CHECK((before[layer] == after[layer]) == keys[layer]);
      }
    }
}

}  // namespace
