# What tests, examples and benchmarks share about CTest. The presets set both variables.
set(LAYERKEY_TEST_PREFIX "" CACHE STRING "Put before each test's name, to tell builds apart")
set(LAYERKEY_TEST_ENVIRONMENT "" CACHE STRING "NAME=VALUE for each test: a sanitizer's options")

# layerkey_add_test(NAME LABEL COMMAND...)
function(layerkey_add_test name label)
  set(name "${LAYERKEY_TEST_PREFIX}${name}")
  add_test(NAME "${name}" COMMAND ${ARGN} COMMAND_EXPAND_LISTS)
  set_tests_properties("${name}" PROPERTIES LABELS "${label}" ENVIRONMENT
                                                              "${LAYERKEY_TEST_ENVIRONMENT}")
endfunction()

# Properties of a test under the name that it was added with.
function(layerkey_test_properties name)
  set_tests_properties("${LAYERKEY_TEST_PREFIX}${name}" PROPERTIES ${ARGN})
endfunction()
