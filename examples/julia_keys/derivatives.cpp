#include "compilers.hpp"
#include "counts.hpp"
#include "reports.hpp"
#include "workloads.hpp"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <vector>

namespace julia {
namespace {

template<class Run>
void with_each(Run const& run) {
  with_each_compiler<autodiff_compiler_by, autodiff_compiler>(run);
}

// autodiff(Reverse, f, Active(1.0)) or with Const(1.0).
enzyme::autodiff reverse_of(enzyme::activity argument) {
  enzyme::autodiff config{.kernel = false};
  config.params.tt = {{argument, "Float64"}};
  config.params.rt = enzyme::annotation{enzyme::activity::active, "Float64"};
  return config;
}

template<class Key>
class distinct {
 public:
  void add(Key const& key) {
    if (std::find(keys_.begin(), keys_.end(), key) == keys_.end()) keys_.push_back(key);
  }
  std::size_t size() const { return keys_.size(); }

 private:
  std::vector<Key> keys_;
};

}  // namespace

void print_autodiff_workload() {
  std::printf("%-9s %-9s %9s %9s %12s %9s\n", "workload", "strategy", "inference", "primal_ir",
              "derivative", "stale");
  auto const requests = derivatives();
  with_each([&](char const* name, auto const& make) {
    auto compiler = make();
    auto const c = count(compiler, requests);
    std::printf("%-9s %-9s %9" PRIu64 " %9" PRIu64 " %12" PRIu64 " %9" PRIu64 "\n", "W5", name,
                c.inference, c.primal_ir, c.derivative, c.stale);
  });
}

void print_inferences() {
  // The job that is differentiated opens a partition of inferred code, and infers nothing: what the
  // other two inferred is what it needs.
  std::puts("Enzyme #1182: two calls of autodiff for one method, of another activity each");
  with_each([&](char const* name, auto const& make) {
    constexpr method_instance f{1, element_type::f64};
    auto compiler = make();
    distinct<decltype(compiler.owner(enzyme::autodiff{}))> partitions;
    for (auto const argument : {enzyme::activity::active, enzyme::activity::constant}) {
      auto const call = reverse_of(argument);
      partitions.add(compiler.owner(return_type_query_of(call)));
      partitions.add(compiler.owner(call));
      partitions.add(compiler.owner(primal_of(call)));
      static_cast<void>(compiler.infer(f, return_type_query_of(call)));
      static_cast<void>(compiler.infer(f, primal_of(call)));
    }
    std::printf("  %-9s partitions: %zu, inferences: %" PRIu64 "\n", name, partitions.size(),
                runs_of<inference>(compiler.statistics()));
  });

  constexpr std::uint32_t methods = 406;
  std::puts("Enzyme #3499: one call that reaches 406 methods, from jobs of three types");
  with_each([&](char const* name, auto const& make) {
    auto compiler = make();
    auto const call = reverse_of(enzyme::activity::active);
    for (std::uint32_t method = 0; method != methods; ++method) {
      static_cast<void>(compiler.infer({method}, return_type_query_of(call)));
      static_cast<void>(compiler.infer({method}, call));
      static_cast<void>(compiler.infer({method}, primal_of(call)));
    }
    std::printf("  %-9s inferences: %" PRIu64 "\n", name,
                runs_of<inference>(compiler.statistics()));
  });
}

}  // namespace julia
