// The option values that the LLVM backends share, under the names of `opt` and `llc`.
#pragma once

#include <cstdint>

namespace layerkey {

// As -O0 ... -Oz of opt-19: speed and size level of the middle end.
enum class optimization_level : std::uint8_t { O0, O1, O2, O3, Os, Oz };

// As -O0 ... -O3 of llc-19: llvm::CodeGenOptLevel.
enum class codegen_level : std::uint8_t { none, less, standard, aggressive };

// Clang's rule: the code generator has no size levels, Os and Oz are its -O2.
constexpr codegen_level codegen_level_of(optimization_level level) {
  switch (level) {
    case optimization_level::O0:
      return codegen_level::none;
    case optimization_level::O1:
      return codegen_level::less;
    case optimization_level::O3:
      return codegen_level::aggressive;
    default:
      return codegen_level::standard;
  }
}

// A level that stands for all that the code generator cannot tell apart.
constexpr optimization_level optimization_level_of(codegen_level level) {
  switch (level) {
    case codegen_level::none:
      return optimization_level::O0;
    case codegen_level::less:
      return optimization_level::O1;
    case codegen_level::aggressive:
      return optimization_level::O3;
    default:
      return optimization_level::O2;
  }
}

// llvm::FPOpFusion: off keeps every rounding, on fuses llvm.fmuladd, fast fuses every fmul and
// fadd.
enum class fp_contraction : std::uint8_t { off, on, fast };

// A pass that opt-19 runs at O2, O3 and Os, unless told otherwise.
enum class by_level : std::uint8_t { from_O2, always, never };

}  // namespace layerkey
