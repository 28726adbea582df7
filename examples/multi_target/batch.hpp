// Many compiles at once: inputs x targets x levels through one cache a layer.
#pragma once

#include <layerkey/llvm/ptx.hpp>
#include <layerkey/llvm/x86.hpp>

#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace multi_target {

enum class output_kind : unsigned char { obj, asm_, ptx, bc };

// ".o", ".s", ".ptx", ".bc"
char const* suffix_of(output_kind kind);

using any_params = std::variant<layerkey::x86_params, layerkey::ptx_params>;

// One artifact to be made. `name` is its file name: STEM.TARGET.LEVEL.SUFFIX.
struct job {
  std::string name;
  layerkey::ir_module input;
  any_params params;
  output_kind kind;
};

// What a stage that ran was told, for which job.
using run_listener = std::function<void(std::string const& job, layerkey::run_report const&)>;

// The compilers of all targets, with their caches.
class compilers {
 public:
  compilers();
  // With a store, which outlives them.
  explicit compilers(layerkey::artifact_store& store);

  // The bytes of the artifact, or the error of the stage that failed.
  layerkey::outcome<std::string> make(job const& j);

  // Set before the first job.
  void on_run(run_listener told);

  // Rows of layers with the same name are added up; upstream first.
  layerkey::statistics statistics() const;

 private:
  std::unique_ptr<layerkey::x86::compiler> x86_;
  std::unique_ptr<layerkey::ptx::compiler> ptx_;
};

// In which of so many parts of a batch a job belongs, from 1: on every machine the same, and in one
// part with all that shares its first layer.
unsigned shard_of(job const& j, unsigned shards);

struct batch_result {
  unsigned made = 0;
  unsigned failed = 0;
};

// Makes each job on `threads` threads. `started` is called before and `done` after each one, by one
// thread at a time.
batch_result run_batch(
    compilers& through, std::vector<job> const& jobs, unsigned threads,
    std::function<void(job const&)> const& started,
    std::function<void(job const&, layerkey::outcome<std::string> const&)> const& done);

// The table `layer requests served run spent saved`, a row a layer.
std::string table_of(layerkey::statistics const& rows);

// How `after` went beyond `before`, row by row.
layerkey::statistics since(layerkey::statistics const& before, layerkey::statistics const& after);

// "sm: "sm_80" -> "sm_90"", or the other reasons for a run, in one line.
std::string reason_of(layerkey::run_report const& report);

// Writes a file as a whole or not at all. Returns what went wrong, empty if nothing did.
std::string write_file(std::string const& path, std::string const& bytes);

}  // namespace multi_target
