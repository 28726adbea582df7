// The implementation of the LLVM layers, for programs that do not link layerkey::llvm: include this
// in one translation unit, and link LLVM 19.
#pragma once

#include <layerkey/llvm/detail/codegen.ipp>
#include <layerkey/llvm/detail/ir_module.ipp>
#include <layerkey/llvm/detail/loaded_code.ipp>
#include <layerkey/llvm/detail/optimize.ipp>
#include <layerkey/llvm/detail/specialize.ipp>
#include <layerkey/llvm/detail/targets.ipp>
