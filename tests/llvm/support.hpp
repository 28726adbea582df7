// What the tests of the LLVM layers share: input modules, LLVM's own tools as child processes,
// files.
#pragma once

#include <layerkey/llvm/compile.hpp>

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace llvm_tests {

using namespace layerkey;

inline std::string const inputs = std::string(LAYERKEY_SOURCE_DIR) + "/tests/llvm/inputs/";
inline std::vector<std::string> const x86_inputs = {"loops.ll", "calls.ll", "floats.ll", "data.ll",
                                                    "debug.ll"};

inline constexpr optimization_level levels[] = {optimization_level::O0, optimization_level::O1,
                                                optimization_level::O2, optimization_level::O3,
                                                optimization_level::Os, optimization_level::Oz};

inline std::string flag_of(optimization_level level) {
  return std::string("-O") + "0123sz"[static_cast<int>(level)];
}

inline std::string codegen_flag_of(optimization_level level) {
  return std::string("-O") + "0123"[static_cast<int>(codegen_level_of(level))];
}

// The artifact, or a failed test that says why there is none.
template<class Artifact>
Artifact const& need(outcome<Artifact> const& o) {
  INFO(o.error());
  REQUIRE(o.has_value());
  return *o;
}

inline ir_module input(std::string const& file) {
  return need(ir_module::from_file(inputs + file));
}
inline ir_module parsed(std::string_view text) {
  return need(ir_module::from_memory(text, "test.ll"));
}

template<class Text>
Text text_of(std::string_view s) {
  Text t;
  REQUIRE(t.assign(s));
  return t;
}

// A folder of this test, removed at its end.
class folder {
 public:
  folder() {
    char const* const parent = std::getenv("TMPDIR");
    path_ = std::string(parent ? parent : "/tmp") + "/layerkey-XXXXXX";
    REQUIRE(mkdtemp(path_.data()));
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() {
    for (std::string const& file : files_) unlink(file.c_str());
    rmdir(path_.c_str());
  }

  std::string file(std::string const& name) {
    files_.push_back(path_ + '/' + name);
    return files_.back();
  }

  std::string write(std::string const& name, std::string_view bytes) {
    std::string const path = file(name);
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

 private:
  std::string path_;
  std::vector<std::string> files_;
};

inline std::string contents(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Runs `opt` or `llc` of LLVM 19 on a file and answers what it wrote.
inline std::string tool(folder& f, std::string const& name, std::string const& flags,
                        std::string const& input_file) {
  static int count = 0;
  std::string const output = f.file("out" + std::to_string(count++));
  std::string const command = std::string("'") + LAYERKEY_LLVM_BIN_DIR + "/" + name + "' " + flags +
                              " '" + input_file + "' -o '" + output + "'";
  INFO(command);
  REQUIRE(std::system(command.c_str()) == 0);
  return contents(output);
}

}  // namespace llvm_tests
