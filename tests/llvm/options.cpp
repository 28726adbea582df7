// The tags of the params, measured: an option changes what its tags say, on some module, and
// nothing else, on any.
#include "options.hpp"

#include <layerkey/llvm/ptx.hpp>
#include <layerkey/llvm/x86.hpp>

using namespace llvm_tests;

TEST_CASE("x86: an option changes the artifacts of exactly the layers that its tags name") {
  std::vector<ir_module> modules;
  for (std::string const& file : x86_inputs) modules.push_back(input(file));

  for (x86_flip const& flip : x86_flips) {
    x86_params base, flipped;
    flip.base(base);
    flip.base(flipped);
    flip.set(flipped);
    bool changed_ir = false, changed_code = false;
    for (ir_module const& m : modules) {
      auto const ir = need(x86::optimize_ir(m, base));
      changed_ir |= need(x86::optimize_ir(m, flipped)).bitcode() != ir.bitcode();
      changed_code |= need(x86::generate_code(ir, flipped)) != need(x86::generate_code(ir, base));
    }
    INFO(flip.name);
    CHECK(changed_ir == flip.optimization);
    CHECK(changed_code == flip.codegen);
    CHECK(same_key<x86::optimization>(base, flipped) == !flip.optimization);
    CHECK(same_key<x86::codegen>(base, flipped) == !(flip.optimization || flip.codegen));
  }
}

TEST_CASE("PTX: an option changes the artifacts of exactly the layers that its tags name") {
  ir_module const modules[] = {input("kernels.ll"), input("asks.ll")};
  for (ptx_flip const& flip : ptx_flips) {
    ptx_params const base;
    ptx_params flipped;
    flip.set(flipped);
    bool changed_specialized = false, changed_ir = false, changed_code = false;
    for (ir_module const& m : modules) {
      auto const specialized = need(ptx::specialize_ir(m, base));
      auto const ir = need(ptx::optimize_ir(specialized, base));
      changed_specialized |=
          need(ptx::specialize_ir(m, flipped)).bitcode() != specialized.bitcode();
      changed_ir |= need(ptx::optimize_ir(specialized, flipped)).bitcode() != ir.bitcode();
      for (ir_module const& code : {ir, specialized})
        changed_code |=
            need(ptx::generate_code(code, flipped)) != need(ptx::generate_code(code, base));
    }
    INFO(flip.name);
    CHECK(changed_specialized == flip.specialize);
    CHECK(changed_ir == flip.optimization);
    CHECK(changed_code == flip.codegen);
    CHECK(same_key<ptx::specialize>(base, flipped) == !flip.specialize);
    CHECK(same_key<ptx::codegen>(base, flipped) ==
          !(flip.specialize || flip.optimization || flip.codegen));
  }
}
