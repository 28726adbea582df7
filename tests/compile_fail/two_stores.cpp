// A pipeline with two stores.
// expect: a_pipeline_has_one_store<.*map_store, .*map_store
#include "../cache/map_store.hpp"
#include "../cache/toy_compiler.hpp"

void compile(map_store& near, [[maybe_unused]] map_store& far) {
  toy::compiler one(near);
#ifdef SHOW_ERROR
  toy::compiler two(near, far);
#endif
}
