#include <layerkey/llvm/compile.hpp>

int main() { return layerkey::ptx::sm_names().empty() ? 1 : 0; }
