#include "compilers.hpp"
#include "counts.hpp"
#include "reports.hpp"
#include "workloads.hpp"

#include <cinttypes>
#include <cstdio>
#include <string>

namespace julia {
namespace {

template<class Run>
void with_each(Run const& run) {
  with_each_compiler<kernel_compiler_by, kernel_compiler>(run);
}

void print_workload(char const* workload, std::vector<kernel_request> const& requests,
                    std::string& notes) {
  with_each([&](char const* name, auto const& make) {
    auto compiler = make();
    auto const c = count(compiler, requests);
    std::printf("%-9s %-9s %9" PRIu64 " %9" PRIu64 " %12" PRIu64 " %12" PRIu64 " %9" PRIu64
                " %11" PRIu64 " %15" PRIu64 " %9" PRIu64 "\n",
                workload, name, c.inference, c.ir, c.optimization, c.machine_code, c.link,
                c.host_object, c.runtime_library, c.stale);
    if (c.stale_runtime_libraries)
      notes += std::string(workload) + ": " + name + " also served " +
               std::to_string(c.stale_runtime_libraries) +
               " runtime libraries that were made with other options.\n";
  });
}

// The second of two requests for one kernel.
void print_second(cuda::config const& first, cuda::config const& second) {
  constexpr method_instance kernel{1};
  with_each([&](char const* name, auto const& make) {
    auto compiler = make();
    std::string const before = *compiler.template get<machine_code>(kernel, {first});
    auto const earlier = compiler.statistics();
    std::string const after = *compiler.template get<machine_code>(kernel, {second});
    std::string runs;
    for (auto const& each : compiler.statistics())
      if (each.runs != runs_of(each.layer, earlier)) (runs += ' ') += each.layer;
    bool const is_right = after == fresh_code(kernel, second);
    std::printf("  %-9s %s, runs:%s\n", name,
                is_right          ? "its own code"
                : after == before ? "STALE: the code of the first"
                                  : "STALE",
                runs.empty() ? " nothing" : runs.c_str());
  });
}

}  // namespace

void print_kernel_workloads() {
  std::printf("%-9s %-9s %9s %9s %12s %12s %9s %11s %15s %9s\n", "workload", "strategy",
              "inference", "ir", "optimization", "machine_code", "link", "host_object",
              "runtime_library", "stale");
  std::string notes;
  print_workload("W1", matrix(), notes);
  print_workload("W2", autotune(), notes);
  print_workload("W3", session(), notes);
  print_workload("W4", release(), notes);
  std::fputs(notes.c_str(), stdout);
}

void print_second_requests() {
  auto const first = for_device({7, 5}).config;
  std::puts("GPUCompiler #560: a kernel for sm_75, then for sm_80. The second request gets");
  print_second(first, for_device({8, 0}).config);

  auto other_sm = first;
  other_sm.params.sm = {8, 0};
  std::puts("GPUCompiler #561: the same with another params.sm and nothing else. The second gets");
  print_second(first, other_sm);
}

}  // namespace julia
