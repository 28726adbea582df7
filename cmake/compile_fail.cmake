# Two tests for a file that must not compile (see compile_fail.sh for what the file says):
#   compile_fail.NAME        with -DSHOW_ERROR it does not compile, and the compiler says why
#   compile_fail.NAME.twin   without that macro it compiles, so it fails for no other reason
# A file with a line `// only: clang`, or g++, has the first with that compiler alone.

# The command that compiles a file as the tests are compiled, up to the file's name.
function(layerkey_compile_command result)
  set(boost ${Boost_INCLUDE_DIRS})
  list(REMOVE_ITEM boost ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES})
  list(TRANSFORM boost PREPEND "-isystem;")
  separate_arguments(flags NATIVE_COMMAND "${CMAKE_CXX_FLAGS}")
  set(${result} "${CMAKE_CXX_COMPILER}" -std=c++20 ${flags}
      "$<TARGET_PROPERTY:layerkey_warnings,INTERFACE_COMPILE_OPTIONS>"
      "-I${PROJECT_SOURCE_DIR}/include" ${boost} -fsyntax-only PARENT_SCOPE)
endfunction()

function(layerkey_add_compile_fail_tests)
  layerkey_compile_command(compile)
  string(TOLOWER "${CMAKE_CXX_COMPILER_ID}" compiler)
  string(REPLACE "gnu" "g++" compiler "${compiler}")
  foreach(file IN LISTS ARGN)
    cmake_path(GET file STEM name)
    file(STRINGS "${file}" only REGEX "^// only: ")
    if(NOT only OR only STREQUAL "// only: ${compiler}")
      layerkey_add_test(compile_fail.${name} compile_fail sh
                        "${PROJECT_SOURCE_DIR}/cmake/compile_fail.sh" "${file}" ${compile})
    endif()
    layerkey_add_test(compile_fail.${name}.twin compile_fail ${compile} "${file}")
  endforeach()
endfunction()

# A control shows that the harness notices: the driver must refuse the file, and for this reason.
function(layerkey_add_compile_fail_control file reason)
  layerkey_compile_command(compile)
  cmake_path(GET file STEM name)
  set(driver sh "${PROJECT_SOURCE_DIR}/cmake/compile_fail.sh" "${file}" ${compile})
  layerkey_add_test(compile_fail.control.${name} compile_fail ${driver})
  layerkey_test_properties(compile_fail.control.${name} WILL_FAIL TRUE)
  layerkey_add_test(compile_fail.control.${name}.reason compile_fail ${driver})
  layerkey_test_properties(compile_fail.control.${name}.reason PASS_REGULAR_EXPRESSION "${reason}")
endfunction()
