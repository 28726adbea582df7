// refine: a struct around another adds conditions to the members inside it.
#include <layerkey/layerkey.hpp>

#include <type_traits>

namespace refinements {

using layerkey::affects, layerkey::canonical, layerkey::field, layerkey::fields, layerkey::only_if,
    layerkey::path, layerkey::per_member, layerkey::refine, layerkey::same_key, layerkey::view;

struct irgen : layerkey::layer<> {};
struct codegen : layerkey::layer<irgen> {};

// ---- launch bounds count in kernels only -------------------------------------------------------

struct ptx {
  int sm = 90;
  int max_threads = 256;
  int min_blocks = 1;
  int level = 2;

  using layerkey_fields =
      fields<field<&ptx::sm, affects<codegen>>, field<&ptx::max_threads, affects<codegen>>,
             field<&ptx::min_blocks, affects<codegen>, only_if<&ptx::max_threads>>,
             field<&ptx::level, affects<irgen>>>;
};
static_assert(layerkey::complete<ptx>);

struct config {
  bool kernel = false;
  ptx target = {.sm = 80, .max_threads = 512};

  using layerkey_fields =
      fields<field<&config::kernel, affects<codegen>>, field<&config::target, per_member>,
             refine<path<&config::target, &ptx::max_threads>, only_if<&config::kernel>>>;
};
static_assert(layerkey::complete<config>);

constexpr config function{};
constexpr config function_bounded{.target = {.sm = 80, .max_threads = 64}};
constexpr config kernel{.kernel = true};
constexpr config kernel_bounded{.kernel = true, .target = {.sm = 80, .max_threads = 64}};

static_assert(same_key<codegen>(function, function_bounded));
static_assert(!same_key<codegen>(kernel, kernel_bounded));
static_assert(!same_key<codegen>(function, kernel), "the condition's own member counts");
static_assert(layerkey::make_key<codegen>(function).hash() ==
              layerkey::make_key<codegen>(function_bounded).hash());

// The stage reads what the key holds: the initialiser in ptx, not that of config.
constexpr int threads(config const& p) {
  return view<codegen, config>(p).get<&config::target, &ptx::max_threads>();
}
static_assert(threads(function) == 256);
static_assert(threads(function_bounded) == 256);
static_assert(threads(kernel) == 512);
static_assert(threads(kernel_bounded) == 64);

// The member's own conditions still count, and those of members that read it.
struct free_blocks {
  bool kernel = true;
  ptx target = {};
  using layerkey_fields =
      fields<field<&free_blocks::kernel, affects<codegen>>, field<&free_blocks::target, per_member>,
             refine<path<&free_blocks::target, &ptx::min_blocks>,
                    only_if<&free_blocks::kernel>::otherwise<7>>>;
};
static_assert(layerkey::complete<free_blocks>);
constexpr int free_blocks_seen(free_blocks const& p) {
  return view<codegen, free_blocks>(p).get<&free_blocks::target, &ptx::min_blocks>();
}
static_assert(free_blocks_seen({.target = {.min_blocks = 4}}) == 4);
static_assert(free_blocks_seen({.kernel = false, .target = {.min_blocks = 4}}) == 7);
static_assert(free_blocks_seen({.target = {.max_threads = 0, .min_blocks = 4}}) == 7,
              "one otherwise for all");

constexpr int blocks(config const& p) {
  return view<codegen, config>(p).get<&config::target, &ptx::min_blocks>();
}
static_assert(blocks({.kernel = true, .target = {.min_blocks = 4}}) == 4);
static_assert(blocks({.kernel = false, .target = {.min_blocks = 4}}) == 1,
              "a member whose condition reads an inactive member is inactive");

// Elsewhere the struct is as it was.
static_assert(!same_key<codegen>(ptx{}, ptx{.max_threads = 64}));

// ---- views of the struct -----------------------------------------------------------------------

constexpr auto seen_target = view<codegen, config>(function_bounded).get<&config::target>();
static_assert(seen_target.get<&ptx::max_threads>() == 256);
static_assert(seen_target.get<&ptx::sm>() == 80);
static_assert(layerkey::get<&ptx::sm>(seen_target) == 80);
static_assert(!std::is_same_v<decltype(seen_target), view<codegen, ptx> const>);
static_assert(std::is_same_v<decltype(view<irgen, config>(function).get<&config::target>()),
                             view<irgen, ptx>>,
              "in a layer that no refinement reaches the struct is seen as by itself");
static_assert(
    std::is_same_v<decltype(view<codegen, config>(function).get<&config::target, &ptx::sm>()),
                   int const&>,
    "a stored member still comes as a reference");

// ---- narrowed ----------------------------------------------------------------------------------

static_assert(layerkey::narrowed<codegen, config>(function_bounded)->target.max_threads == 256);
static_assert(layerkey::narrowed<codegen, config>(kernel_bounded)->target.max_threads == 64);
static_assert(layerkey::narrowed<codegen, config>(kernel_bounded)->target.sm == 80);
static_assert(layerkey::narrowed<codegen, config>(kernel_bounded)->kernel);
static_assert(layerkey::narrowed<irgen, config>(kernel_bounded)->target.max_threads == 512);

// ---- the wrapper -------------------------------------------------------------------------------

static_assert(std::is_same_v<layerkey::normal_params<codegen, config>, config>);
static_assert(std::is_same_v<layerkey::normal_params<irgen, config>, ptx>,
              "a layer that reads no refined member keeps the independence of the wrapper");

struct job {
  config options;
  using layerkey_fields = fields<field<&job::options, per_member>>;
};
static_assert(std::is_same_v<layerkey::normal_params<codegen, job>, config>);
static_assert(std::is_same_v<layerkey::normal_params<irgen, job>, ptx>);
static_assert(layerkey::make_key<codegen>(job{kernel}) == layerkey::make_key<codegen>(kernel));
static_assert(same_key<codegen>(job{function}, job{function_bounded}));

// A condition that reads inside the only struct there is.
struct around {
  ptx target = {};
  using layerkey_fields = fields<
      field<&around::target, per_member>,
      refine<path<&around::target, &ptx::max_threads>, only_if<path<&around::target, &ptx::sm>{}>>>;
};
static_assert(layerkey::complete<around>);
static_assert(std::is_same_v<layerkey::normal_params<codegen, around>, around>);
static_assert(same_key<codegen>(around{{.sm = 0, .max_threads = 1}},
                                around{{.sm = 0, .max_threads = 2}}));
static_assert(!same_key<codegen>(around{{.max_threads = 1}}, around{{.max_threads = 2}}));

// ---- two levels, two copies --------------------------------------------------------------------

constexpr bool at_least_80(int sm) { return sm >= 80; }
constexpr bool both(bool a, bool b) { return a && b; }

struct device {
  bool enabled = true;
  config main = {};
  config spare = {};

  using layerkey_fields = fields<
      field<&device::enabled, affects<codegen>>, field<&device::main, per_member>,
      field<&device::spare, per_member>,
      refine<path<&device::main, &config::target, &ptx::max_threads>, only_if<&device::enabled>>,
      refine<
          path<&device::spare, &config::target, &ptx::sm>,
          only_if<both, &device::enabled, path<&device::spare, &config::kernel>{}>::otherwise<70>>,
      refine<path<&device::spare, &config::kernel>,
             only_if<at_least_80, path<&device::main, &config::target, &ptx::sm>{}>>>;
};
static_assert(layerkey::complete<device>);

constexpr int main_threads(device const& p) {
  return view<codegen, device>(p).get<&device::main, &config::target, &ptx::max_threads>();
}
static_assert(main_threads({.main = kernel_bounded}) == 64, "both structs around say yes");
static_assert(main_threads({.main = function_bounded}) == 256, "the nearer one says no");
static_assert(main_threads({.enabled = false, .main = kernel_bounded}) == 256, "the outer one");

constexpr int spare_threads(device const& p) {
  return view<codegen, device>(p).get<&device::spare, &config::target, &ptx::max_threads>();
}
static_assert(spare_threads({.enabled = false, .spare = kernel_bounded}) == 64,
              "one copy is refined, the other is not");
static_assert(spare_threads({.main = {.target = {.sm = 70}}, .spare = kernel_bounded}) == 256,
              "spare.kernel does not count, so what reads it does not either");

constexpr int spare_sm(device const& p) {
  return view<codegen, device>(p).get<&device::spare, &config::target, &ptx::sm>();
}
static_assert(spare_sm({.spare = kernel}) == 80);
static_assert(spare_sm({.spare = function}) == 70);
static_assert(spare_sm({.enabled = false, .spare = kernel}) == 70);

constexpr auto view_of_main(device const& p) {
  return view<codegen, device>(p).get<&device::main>();
}
static_assert(view_of_main({.enabled = false, .main = kernel_bounded})
                  .get<&config::target, &ptx::max_threads>() == 256);

// ---- canonical forms ---------------------------------------------------------------------------

constexpr int even(int v) { return v & ~1; }
struct rounded {
  ptx target = {};
  using layerkey_fields = fields<field<&rounded::target, per_member>,
                                 refine<path<&rounded::target, &ptx::sm>, canonical<even>>>;
};
static_assert(layerkey::complete<rounded>);
static_assert(same_key<codegen>(rounded{{.sm = 91}}, rounded{{.sm = 90}}));
static_assert(!same_key<codegen>(rounded{{.sm = 92}}, rounded{{.sm = 90}}));
static_assert(layerkey::narrowed<codegen, rounded>(rounded{{.sm = 91}})->target.sm == 90);

// ---- conditions that read inside without refining ----------------------------------------------

struct reads_inside {
  ptx target = {};
  int cluster = 1;
  using layerkey_fields =
      fields<field<&reads_inside::target, per_member>,
             field<&reads_inside::cluster, affects<codegen>,
                   only_if<at_least_80, path<&reads_inside::target, &ptx::sm>{}>>>;
};
static_assert(layerkey::complete<reads_inside>);
static_assert(!same_key<codegen>(reads_inside{{}, 1}, reads_inside{{}, 2}));
static_assert(same_key<codegen>(reads_inside{{.sm = 70}, 1}, reads_inside{{.sm = 70}, 2}));

}  // namespace refinements
