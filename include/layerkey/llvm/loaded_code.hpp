// An x86-64 object, linked into this process by ORC, whose functions can be called.
#pragma once

#include <layerkey/cache/outcome.hpp>
#include <layerkey/cache/portable.hpp>
#include <layerkey/llvm/ir_module.hpp>

#include <memory>
#include <string>

namespace layerkey {

// Process-bound: it holds addresses, so no store keeps it. The code lives as long as a copy of this
// object does. Symbols of libc, libm and the program itself are found; static constructors of the
// object do not run, and native thread-local variables are refused (use emulated_tls).
class loaded_code {
 public:
  static outcome<loaded_code> from_object(machine_code const& object);

  // The function or variable of this name, or null where the object defines none.
  void* address(std::string const& symbol) const;

  template<class Function>
  Function* function(std::string const& symbol) const {
    return reinterpret_cast<Function*>(address(symbol));
  }

 private:
  struct image;
  explicit loaded_code(std::shared_ptr<image const> i) : image_(std::move(i)) {}
  std::shared_ptr<image const> image_;
};

template<>
inline constexpr bool process_bound<loaded_code> = true;

}  // namespace layerkey
