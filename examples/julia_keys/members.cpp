#include "cuda.hpp"
#include "enzyme.hpp"
#include "reports.hpp"

#include <layerkey/member_table.hpp>

#include <cstdio>

namespace julia {

void print_members() {
  std::puts("A kernel of CUDA.jl:");
  std::puts(
      layerkey::tabulate<cuda::kernel_launch, inference, irgen, target_globals, optimization,
                         machine_code, linking, host_object, runtime_functions, runtime_globals>()
          .to_text()
          .c_str());
  std::puts("A call of Enzyme.jl's autodiff:");
  std::fputs(
      layerkey::tabulate<enzyme::autodiff, inference, irgen, derivative, thunk>().to_text().c_str(),
      stdout);
}

}  // namespace julia
