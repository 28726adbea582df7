#include "workloads.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string>
#include <utility>

namespace julia {
namespace {

using gpucompiler::feature_set, gpucompiler::thread_counts, gpucompiler::version;

constexpr std::array types{element_type::f32, element_type::f64};

// Member by member, since g++ 12 suspects a job made in one expression of holding no name that it
// then reads.
template<class Config>
void add(std::vector<gpucompiler::compiler_job<Config>>& all, method_instance source,
         Config const& config, std::uint64_t world = 1) {
  auto& job = all.emplace_back();
  job.source = source;
  job.config = config;
  job.world = world;
}

// ---- kernels -----------------------------------------------------------------------------------

constexpr architecture sm_75{7, 5}, sm_80{8, 0}, sm_86{8, 6}, sm_89{8, 9}, sm_90{9, 0},
    sm_90a{9, 0, feature_set::arch};

}  // namespace

cuda::kernel_launch for_device(architecture a) {
  cuda::kernel_launch launch;
  launch.config.target.cap = {a.major, a.minor};
  launch.config.target.feature_set = a.features;
  launch.config.target.debuginfo = true;
  launch.config.params.sm = {a.major, a.minor, a.features};
  return launch;
}

std::vector<kernel_request> matrix() {
  std::vector<kernel_request> all;
  for (std::uint32_t method = 0; method != 40; ++method)
    for (auto const type : types)
      for (auto const& device : {sm_75, sm_80, sm_90})
        for (bool const fastmath : {false, true})
          for (int const debug_level : {0, 1, 2}) {
            auto launch = for_device(device);
            launch.config.target.fastmath = fastmath;
            launch.config.debug_level = debug_level;
            add(all, {method, type}, launch);
          }
  return all;
}

std::vector<kernel_request> autotune() {
  using choices = std::initializer_list<std::int32_t>;
  auto const if_any = [](std::int32_t n) { return n ? std::optional(n) : std::nullopt; };
  std::vector<kernel_request> all;
  for (std::uint32_t method = 0; method != 10; ++method)
    for (auto const threads : choices{0, 64, 128, 256, 512, 1024})
      for (auto const blocks : choices{0, 1, 2, 4})
        for (auto const registers : choices{0, 32, 64, 128, 255}) {
          auto launch = for_device(sm_90a);
          auto& target = launch.config.target;
          if (threads) target.maxthreads = thread_counts{.x = threads};
          target.blocks_per_sm = if_any(blocks);
          target.maxregs = if_any(registers);
          add(all, {method, element_type::f32}, launch);
        }
  return all;
}

std::vector<kernel_request> session() {
  constexpr std::uint32_t launches = 20'000;
  // Which method something was redefined for, at which world.
  constexpr std::pair<std::uint32_t, std::uint32_t> redefined[] = {{10, 2}, {20, 7},  {30, 13},
                                                                   {40, 2}, {50, 29}, {59, 38}};
  python_random random(20240405);
  std::array<std::uint32_t, 40> definition{};
  std::uint32_t world = 1;

  std::vector<kernel_request> all;
  for (std::uint32_t i = 0; i != launches; ++i) {
    if (i && i % (launches / 61) == 0) {
      ++world;
      for (auto const& [at, method] : redefined)
        if (world == at) ++definition[method];
    }
    auto const method =
        static_cast<std::uint32_t>(std::min(std::floor(random.paretovariate(0.9)) - 1, 39.0));
    auto launch = for_device(sm_90a);
    auto& config = launch.config;
    if (random.random() < 0.10) {
      auto& name = config.name.emplace("k");
      name += std::to_string(method);
      name += '_';
      name += std::to_string(random.randrange(8));
    }
    if (random.random() < 0.30) {
      auto const n = random.choice(std::array{128, 256});
      config.target.maxthreads = random.choice(
          std::array{thread_counts{.x = n}, thread_counts{1, n}, thread_counts{3, n, 1, 1}});
    }
    if (random.random() < 0.05) config.validate = false;
    if (random.random() < 0.05) config.always_inline = true;
    for (auto const closure : {1U, 5U, 9U, 21U, 33U})
      if (method == closure) launch.callable = random.randrange(50);
    auto const type = random.choice(types);
    launch.context = random.randrange(2);
    add(all, {method, type, definition[method]}, launch, world);
  }
  return all;
}

std::vector<kernel_request> release() {
  std::vector<kernel_request> all;
  for (std::uint32_t method = 0; method != 200; ++method)
    for (auto const& device : {sm_75, sm_80, sm_86, sm_89, sm_90, sm_90a})
      for (auto const isa : {version{8, 0}, version{8, 5}}) {
        auto launch = for_device(device);
        launch.config.target.ptx = isa;
        launch.config.params.ptx = isa;
        add(all, {method, element_type::f32}, launch);
      }
  return all;
}

// ---- derivatives -------------------------------------------------------------------------------

namespace {

using enzyme::activity, enzyme::annotation, enzyme::derivative_mode;

activity in_batches(activity a, int width) {
  return a == activity::duplicated && width > 1 ? activity::batch_duplicated : a;
}

}  // namespace

std::vector<autodiff_request> derivatives() {
  // Forward mode has no active arguments, and only duplicated ones come in batches.
  constexpr auto active = activity::active, constant = activity::constant,
                 duplicated = activity::duplicated;
  constexpr std::pair<activity, activity> arguments[] = {
      {active, active},         {active, constant},     {constant, active},
      {duplicated, duplicated}, {duplicated, constant}, {constant, duplicated}};
  std::vector<autodiff_request> all;
  for (std::uint32_t method = 0; method != 40; ++method)
    for (auto const type : types)
      for (auto const& [first, second] : arguments)
        for (auto const mode : {derivative_mode::forward, derivative_mode::reverse_combined,
                                derivative_mode::reverse_primal}) {
          bool const forward = is_forward(mode);
          bool const split = mode == derivative_mode::reverse_primal;
          bool const shadows = first == duplicated || second == duplicated;
          if (forward && !shadows) continue;
          for (int const width : {1, 2, 4}) {
            if (width > 1 && !shadows) continue;
            for (bool const runtime_activity : {false, true})
              for (bool const return_primal : {false, true})
                for (bool const err_if_func_written : {false, true})
                  for (bool const known_tape : {false, true}) {
                    if (known_tape && !split) continue;
                    std::string const julia_type =
                        type == element_type::f32 ? "Float32" : "Float64";
                    enzyme::autodiff config{.kernel = false};
                    auto& params = config.params;
                    params.params.mode = mode;
                    params.mode = mode;
                    params.tt = {annotation{in_batches(first, width), julia_type},
                                 annotation{in_batches(second, width), julia_type}};
                    params.width = width;
                    params.rt =
                        annotation{forward ? in_batches(duplicated, width) : active, julia_type};
                    params.modified_between = {false, false};
                    params.return_primal = return_primal;
                    params.runtime_activity = runtime_activity;
                    params.err_if_func_written = err_if_func_written;
                    if (known_tape) params.expected_tape_type = "Tuple{" + julia_type + "}";
                    add(all, {method, type}, config);
                  }
          }
        }
  return all;
}

}  // namespace julia
