# The preset `gcc`: the oldest g++ that is supported if it is here under its own name, else g++.
find_program(LAYERKEY_GXX NAMES g++-12 g++ REQUIRED)
set(CMAKE_CXX_COMPILER "${LAYERKEY_GXX}")
