// per_member through std::optional and std::variant: which struct is held, then its members.
#include <layerkey/layerkey.hpp>
#include <layerkey/values/optional.hpp>
#include <layerkey/values/text.hpp>
#include <layerkey/values/variant.hpp>

#include <optional>
#include <type_traits>
#include <variant>

namespace holders {

using layerkey::affects, layerkey::field, layerkey::fields, layerkey::only_if, layerkey::path,
    layerkey::per_member, layerkey::refine, layerkey::same_key, layerkey::view;

struct irgen : layerkey::layer<> {};
struct codegen : layerkey::layer<irgen> {};

constexpr int even(int v) { return v & ~1; }

struct x86 {
  int level = 3;
  layerkey::inline_text<15> cpu = "x86-64";
  bool avx = false;
  int width = 256;

  using layerkey_fields =
      fields<field<&x86::level, affects<irgen>>, field<&x86::cpu, affects<codegen>>,
             field<&x86::avx, affects<codegen>>,
             field<&x86::width, affects<codegen>, only_if<&x86::avx>>>;
};
static_assert(layerkey::complete<x86>);

struct ptx {
  int sm = 90;
  int max_threads = 256;
  void* log = nullptr;

  using layerkey_fields =
      fields<field<&ptx::sm, affects<codegen>, layerkey::canonical<even>>,
             field<&ptx::max_threads, affects<codegen>>, field<&ptx::log, layerkey::runtime_only>>;
};
static_assert(layerkey::complete<ptx>);

// ---- optional ----------------------------------------------------------------------------------

struct job {
  std::optional<x86> target;
  using layerkey_fields = fields<field<&job::target, per_member>>;
};
static_assert(layerkey::complete<job>);

constexpr job no_target{};
constexpr job default_target{.target = x86{}};
constexpr job low{.target = x86{.level = 1}};
constexpr job zen{.target = x86{.cpu = "znver4"}};
constexpr job wide{.target = x86{.width = 512}};

// Every layer that reads of the struct keys whether it is there.
static_assert(!same_key<irgen>(no_target, default_target));
static_assert(layerkey::make_own_key<codegen>(no_target) !=
              layerkey::make_own_key<codegen>(default_target));
static_assert(layerkey::make_own_key<codegen>(default_target) ==
              layerkey::make_own_key<codegen>(low));
static_assert(!same_key<irgen>(default_target, low));
static_assert(same_key<irgen>(default_target, zen), "members keep their own tags");
static_assert(!same_key<codegen>(default_target, zen));
static_assert(same_key<codegen>(default_target, wide), "and their conditions");
static_assert(!same_key<codegen>(job{x86{.avx = true}}, job{x86{.avx = true, .width = 512}}));
static_assert(same_key<codegen>(no_target, job{}));

// Zeros inside are not the same as nothing.
struct small {
  int v = 0;
  using layerkey_fields = fields<field<&small::v, affects<codegen>>>;
};
struct maybe_small {
  std::optional<small> inner;
  using layerkey_fields = fields<field<&maybe_small::inner, per_member>>;
};
static_assert(!same_key<codegen>(maybe_small{}, maybe_small{small{0}}));
static_assert(sizeof(layerkey::own_key<codegen, maybe_small>) == 8, "33 bits");

// A layer that reads nothing of the struct does not key whether it is there.
struct elsewhere : layerkey::layer<> {};
static_assert(
    std::is_same_v<layerkey::normal_params<elsewhere, job>, layerkey::nothing<elsewhere>>);
static_assert(
    std::is_same_v<layerkey::normal_params<irgen, maybe_small>, layerkey::nothing<irgen>>);

// There is no struct to share entries with.
static_assert(std::is_same_v<layerkey::normal_params<codegen, job>, job>);

// ---- its view ----------------------------------------------------------------------------------

constexpr auto seen(job const& p) { return view<codegen, job>(p).get<&job::target>(); }
static_assert(std::is_same_v<decltype(seen(zen)), std::optional<view<codegen, x86>>>);
static_assert(!seen(no_target));
static_assert(seen(zen)->get<&x86::cpu>() == "znver4");
static_assert(seen(wide)->get<&x86::width>() == 256);
static_assert(&seen(zen)->get<&x86::cpu>() == &zen.target->cpu, "no copy");
static_assert(layerkey::get<&job::target>(view<irgen, job>(low))->get<&x86::level>() == 1);

// ---- narrowed ----------------------------------------------------------------------------------

struct job_with_target {
  std::optional<x86> target = x86{.level = 2, .cpu = "i686"};
  using layerkey_fields = fields<field<&job_with_target::target, per_member>>;
};
static_assert(!layerkey::narrowed<codegen, job>(no_target)->target);
static_assert(layerkey::narrowed<codegen, job>(zen)->target->cpu == "znver4");
static_assert(layerkey::narrowed<codegen, job>(job{x86{.level = 9}})->target->level == 3,
              "the initialiser of the struct where the default holds none");
static_assert(layerkey::narrowed<codegen, job_with_target>(job_with_target{x86{.level = 9}})
                      ->target->level == 2,
              "else what the default holds");
static_assert(!layerkey::narrowed<irgen, job_with_target>(job_with_target{std::nullopt})->target);

// ---- variant -----------------------------------------------------------------------------------

struct unit {
  bool verify = false;
  std::variant<std::monostate, x86, ptx> target;
  using layerkey_fields =
      fields<field<&unit::verify, affects<irgen>>, field<&unit::target, per_member>>;
};
static_assert(layerkey::complete<unit>);

constexpr unit none{};
constexpr unit host{.target = x86{}};
constexpr unit gpu{.target = ptx{}};

static_assert(!same_key<codegen>(none, host));
static_assert(!same_key<codegen>(host, gpu));
static_assert(!same_key<codegen>(none, gpu));
static_assert(same_key<codegen>(gpu, unit{.target = ptx{.sm = 91}}));
static_assert(!same_key<codegen>(gpu, unit{.target = ptx{.sm = 80}}));
static_assert(!same_key<irgen>(host, unit{.target = x86{.level = 0}}));
static_assert(!same_key<irgen>(host, gpu), "irgen reads of x86, so it keys which one it is");

struct read_target {
  constexpr int operator()(std::monostate) const { return 0; }
  constexpr int operator()(view<codegen, x86> v) const { return v.get<&x86::width>(); }
  constexpr int operator()(view<codegen, ptx> v) const { return v.get<&ptx::sm>(); }
};
constexpr int read(unit const& p) {
  return std::visit(read_target{}, view<codegen, unit>(p).get<&unit::target>());
}
static_assert(read(none) == 0);
static_assert(read(host) == 256);
static_assert(read({.target = ptx{.sm = 71}}) == 70);

static_assert(
    std::holds_alternative<std::monostate>(layerkey::narrowed<codegen, unit>(none)->target));
static_assert(
    std::get<ptx>(layerkey::narrowed<codegen, unit>(unit{.target = ptx{.sm = 71}})->target).sm ==
    70);
static_assert(
    std::get<x86>(layerkey::narrowed<irgen, unit>(unit{.target = x86{.level = 1}})->target).level ==
    1);

// ---- refined through a variant: launch bounds of a GPU's kernel --------------------------------

struct config {
  bool kernel = false;
  std::variant<x86, ptx> target;
  std::optional<small> tuning = std::nullopt;

  using layerkey_fields =
      fields<field<&config::kernel, affects<codegen>>, field<&config::target, per_member>,
             field<&config::tuning, per_member>,
             refine<path<&config::target, &ptx::max_threads>, only_if<&config::kernel>>,
             refine<path<&config::tuning, &small::v>, only_if<&config::kernel>::otherwise<5>>>;
};
static_assert(layerkey::complete<config>);

constexpr config gpu_function{.target = ptx{.max_threads = 64}, .tuning = small{1}};
constexpr config gpu_kernel{.kernel = true, .target = ptx{.max_threads = 64}, .tuning = small{1}};
static_assert(same_key<codegen>(gpu_function, config{.target = ptx{}, .tuning = small{2}}));
static_assert(!same_key<codegen>(gpu_kernel,
                                 config{.kernel = true, .target = ptx{}, .tuning = small{1}}));
static_assert(!same_key<codegen>(
    gpu_kernel, config{.kernel = true, .target = ptx{.max_threads = 64}, .tuning = small{2}}));
static_assert(!same_key<codegen>(gpu_function, config{.target = ptx{}}), "presence counts");
static_assert(!same_key<codegen>(gpu_function, config{.target = x86{}, .tuning = small{1}}));

struct read_threads {
  constexpr int operator()(view<codegen, x86> v) const { return v.get<&x86::width>(); }
  constexpr int operator()(auto v) const { return get<&ptx::max_threads>(v); }
};
constexpr int threads(config const& p) {
  return std::visit(read_threads{}, view<codegen, config>(p).get<&config::target>());
}
static_assert(threads(gpu_function) == 256);
static_assert(threads(gpu_kernel) == 64);
static_assert(threads({.target = x86{.avx = true, .width = 128}}) == 128);

constexpr int tuning(config const& p) {
  return view<codegen, config>(p).get<&config::tuning>()->get<&small::v>();
}
static_assert(tuning(gpu_function) == 5);
static_assert(tuning(gpu_kernel) == 1);
static_assert(layerkey::narrowed<codegen, config>(gpu_function)->tuning->v == 5);
static_assert(
    std::get<ptx>(layerkey::narrowed<codegen, config>(gpu_function)->target).max_threads == 256);

// ---- one inside another ------------------------------------------------------------------------

struct outer {
  std::optional<config> inner;
  int level = 1;
  using layerkey_fields =
      fields<field<&outer::inner, per_member>, field<&outer::level, affects<codegen>>>;
};
static_assert(layerkey::complete<outer>);
static_assert(same_key<codegen>(outer{gpu_function},
                                outer{config{.target = ptx{}, .tuning = small{2}}}));
static_assert(!same_key<codegen>(outer{gpu_function}, outer{gpu_kernel}));
static_assert(!same_key<codegen>(outer{}, outer{config{}}));
constexpr outer within{gpu_kernel};
static_assert(
    std::visit(read_threads{},
               view<codegen, outer>(within).get<&outer::inner>()->get<&config::target>()) == 64);

// ---- a view of an ordinary struct inside -------------------------------------------------------

struct plain {
  x86 target;
  using layerkey_fields = fields<field<&plain::target, per_member>>;
};
constexpr plain in_plain{{.cpu = "znver4"}};
static_assert(std::is_same_v<decltype(view<codegen, plain>(in_plain).get<&plain::target>()),
                             view<codegen, x86>>);
static_assert(view<codegen, plain>(in_plain).get<&plain::target>().get<&x86::cpu>() == "znver4");

}  // namespace holders
