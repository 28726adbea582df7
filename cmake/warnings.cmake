# Flags for our own sources: the tests, examples, benchmarks and layerkey::llvm's implementation.
# No consumer sees them, since warnings become errors here.
add_library(layerkey_warnings INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(layerkey_warnings INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Werror)
endif()

# The presets compile tests with little optimisation; what is shown or measured wants more.
add_library(layerkey_fast INTERFACE)
if(PROJECT_IS_TOP_LEVEL)
  target_compile_options(layerkey_fast INTERFACE $<$<CONFIG:RelWithDebInfo>:-O2>)
endif()
