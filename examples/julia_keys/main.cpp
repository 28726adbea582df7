// julia_keys: what the caches of GPUCompiler.jl, CUDA.jl and Enzyme.jl run, counted for five
// workloads under the keys that they had, that they have, and that follow from tagged params.
#include "reports.hpp"

#include <cstdio>
#include <string_view>

namespace {

constexpr char const* help =
    "usage: julia_keys [--keys]\n"
    "\n"
    "Counts how often each stage runs for five workloads, and how many of the artifacts that are\n"
    "served belong to other params. Strategies:\n"
    "  whole      the whole configuration for every layer\n"
    "  old_token  GPUCompiler 0.26.3: target type and always_inline for inference, else all\n"
    "  token      GPUCompiler 2.1: target and params for inference, else all\n"
    "  tags       for each layer the members that it reads, as they were written\n"
    "  exact      layerkey: the same in the form that the layer sees\n"
    "  narrow     GPUCompiler 0.26.2: everything by what inference is found by\n"
    "\n"
    "  --keys     print which member affects which layer, in place of that\n"
    "  --help, --version\n";

}  // namespace

int main(int argc, char** argv) {
  bool keys = false;
  for (int i = 1; i < argc; ++i) {
    std::string_view const option = argv[i];
    if (option == "--help") {
      std::fputs(help, stdout);
      return 0;
    }
    if (option == "--version") {
      std::puts("julia_keys " LAYERKEY_VERSION);
      return 0;
    }
    if (option != "--keys") {
      std::fprintf(stderr, "julia_keys: %s: no such option; --help lists them\n", argv[i]);
      return 2;
    }
    keys = true;
  }
  if (keys)
    julia::print_members();
  else {
    julia::print_kernel_workloads();
    julia::print_autodiff_workload();
    julia::print_second_requests();
    julia::print_inferences();
  }
}
