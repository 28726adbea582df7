// The demonstration: real libraries and kernels through the caches, with what has to run counted.
//
//   layerkey-demo x86 INPUTS OUT    a C library for three CPUs at two levels
//   layerkey-demo ptx INPUTS OUT    CUDA kernels for three architectures, with and without ftz
//   layerkey-demo run INPUTS IMAGE  decodes an image with the library that was just compiled
//
// INPUTS is the folder that cmake/demo_inputs.sh makes. Exits 1 when something is not as it must
// be.
#include "batch.hpp"

#include <layerkey/enumerators.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace multi_target {
namespace {

bool all_good = true;

void expect(bool condition, std::string const& what) {
  std::printf("  %s: %s\n", condition ? "yes" : "NO ", what.c_str());
  all_good &= condition;
}

std::string contents_of(std::string const& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct source {
  std::string stem;
  layerkey::ir_module ir;
};

std::vector<source> read_list(std::string const& inputs, char const* list) {
  std::vector<source> all;
  std::ifstream in(inputs + "/" + list);
  for (std::string path; std::getline(in, path);) {
    auto const ir = layerkey::ir_module::from_file(path);
    if (ir)
      all.push_back({std::filesystem::path(path).stem().string(), *ir});
    else
      expect(false, ir.error().text);
  }
  return all;
}

unsigned processors() { return std::max(1U, std::thread::hardware_concurrency()); }

// Compiles all jobs, prints the table of what that took, and returns it.
layerkey::statistics compile(compilers& through, std::string const& title,
                             std::vector<job> const& jobs, std::string const& out = {}) {
  auto const before = through.statistics();
  auto const result = run_batch(
      through, jobs, processors(), [](job const&) {},
      [&](job const& j, auto const& made) {
        if (!made)
          std::fprintf(stderr, "layerkey-demo: %s: %s\n", j.name.c_str(),
                       made.error().text.c_str());
        else if (!out.empty())
          if (auto const why = write_file(out + "/" + j.name, *made); !why.empty())
            expect(false, out + "/" + j.name + ": " + why);
      });
  auto const rows = since(before, through.statistics());
  std::printf("\n%s\n%s", title.c_str(), table_of(rows).c_str());
  expect(result.failed == 0, std::to_string(result.made) + " artifacts, no failure");
  return rows;
}

std::uint64_t runs_of(layerkey::statistics const& rows, std::string const& layer) {
  for (auto const& row : rows)
    if (row.layer == layer) return row.runs;
  return 0;
}

void expect_runs(layerkey::statistics const& rows, std::string const& layer, std::uint64_t runs) {
  expect(runs_of(rows, layer) == runs, layer + " ran " + std::to_string(runs) + " times");
}

// The jobs with one member of their params changed.
template<class Params>
std::vector<job> with(std::vector<job> jobs, std::function<void(Params&)> const& change) {
  for (auto& each : jobs) change(std::get<Params>(each.params));
  return jobs;
}

// ---- a C library for three CPUs ----------------------------------------------------------------

void demonstrate_x86(std::string const& inputs, std::string const& out) {
  using params = layerkey::x86_params;
  std::vector<job> jobs;
  for (auto const& from : read_list(inputs, "x86.list"))
    for (char const* cpu : {"x86-64-v2", "x86-64-v3", "x86-64-v4"})
      for (auto const level :
           {layerkey::optimization_level::O2, layerkey::optimization_level::O3}) {
        params p{.level = level};
        static_cast<void>(p.cpu.assign(std::string_view(cpu)));
        jobs.push_back(
            {from.stem + "." + cpu + "." + std::string(layerkey::enumerator_name(level)) + ".o",
             from.ir, p, output_kind::obj});
      }
  auto const all = jobs.size();

  compilers through;
  auto rows = compile(through, "Objects for x86-64-v2, v3 and v4 at O2 and O3", jobs, out);
  expect_runs(rows, "optimization", all);
  expect_runs(rows, "codegen", all);

  rows = compile(through, "Again, with another runtime-only value (label)",
                 with<params>(jobs, [](params& p) { p.label = "again"; }));
  expect_runs(rows, "optimization", 0);
  expect_runs(rows, "codegen", 0);

  rows = compile(through, "With an option of the code generator flipped (function_sections)",
                 with<params>(jobs, [](params& p) { p.function_sections = true; }));
  expect_runs(rows, "optimization", 0);
  expect_runs(rows, "codegen", all);

  rows = compile(through, "With an option of the optimiser flipped (unroll_loops)",
                 with<params>(jobs, [](params& p) { p.unroll_loops = false; }));
  expect_runs(rows, "optimization", all);
  expect_runs(rows, "codegen", all);
}

// ---- CUDA kernels for three architectures ------------------------------------------------------

// The different modules that `specialize` makes of these jobs, with the level: what has to be
// optimised.
using optimized_once = std::set<std::string>;

optimized_once distinct_specialized(std::vector<job> const& jobs) {
  optimized_once found;
  for (auto const& j : jobs) {
    auto const& p = std::get<layerkey::ptx_params>(j.params);
    if (auto const ir = layerkey::ptx::specialize_ir(j.input, p))
      found.insert(std::string(ir->bitcode()) + std::string(layerkey::enumerator_name(p.level)));
  }
  return found;
}

void demonstrate_ptx(std::string const& inputs, std::string const& out) {
  using params = layerkey::ptx_params;
  std::string library_path;
  std::ifstream library_file(inputs + "/libdevice.path");
  std::getline(library_file, library_path);
  auto const library = layerkey::ptx::load_device_library(library_path);
  if (!library) return expect(false, library.error().text);

  auto const kernels = read_list(inputs, "ptx.list");
  std::vector<job> jobs;
  for (auto const& from : kernels)
    for (bool const ftz : {false, true})
      for (char const* sm : {"sm_75", "sm_80", "sm_90"})
        for (auto const level :
             {layerkey::optimization_level::O2, layerkey::optimization_level::O3}) {
          params p{.level = level, .ftz = ftz, .libdevice = *library};
          static_cast<void>(p.sm.assign(std::string_view(sm)));
          jobs.push_back({from.stem + (ftz ? "-ftz." : ".") + sm + "." +
                              std::string(layerkey::enumerator_name(level)) + ".ptx",
                          from.ir, p, output_kind::ptx});
        }
  auto const all = jobs.size();
  auto const specialized = all / 2;  // the level is no affair of this layer
  auto const modules = distinct_specialized(jobs);

  compilers through;
  auto rows = compile(through, "PTX for sm_75, sm_80 and sm_90 at O2 and O3, with and without ftz",
                      jobs, out);
  expect_runs(rows, "specialize", specialized);
  expect_runs(rows, "optimization", modules.size());
  expect(runs_of(rows, "optimization") < specialized,
         "kernels that do not ask for the architecture were optimised once for all three");
  expect_runs(rows, "codegen", all);

  rows = compile(through, "Again, with another runtime-only value (label)",
                 with<params>(jobs, [](params& p) { p.label = "again"; }));
  for (char const* layer : {"specialize", "optimization", "codegen"}) expect_runs(rows, layer, 0);

  rows =
      compile(through, "With an option of the code generator flipped (fp_contract)",
              with<params>(jobs, [](params& p) { p.fp_contract = layerkey::fp_contraction::off; }));
  expect_runs(rows, "specialize", 0);
  expect_runs(rows, "optimization", 0);
  expect_runs(rows, "codegen", all);

  rows = compile(through, "With an option of the optimiser flipped (unroll_loops)",
                 with<params>(jobs, [](params& p) { p.unroll_loops = false; }));
  expect_runs(rows, "specialize", 0);
  expect_runs(rows, "optimization", modules.size());
  expect_runs(rows, "codegen", all);

  auto const without = with<params>(jobs, [](params& p) { p.libdevice = {}; });
  auto const changed = distinct_specialized(without);
  auto const unseen = std::count_if(changed.begin(), changed.end(),
                                    [&](auto const& each) { return !modules.contains(each); });
  rows = compile(through, "With an option of specialize flipped (no device library)", without);
  expect_runs(rows, "specialize", specialized);
  std::printf("  only kernels that call the device library are optimised again:\n");
  expect_runs(rows, "optimization", static_cast<std::uint64_t>(unseen));
  expect_runs(rows, "codegen", all);
}

// ---- running what was compiled -----------------------------------------------------------------

using decode = unsigned char*(unsigned char const*, int, int*, int*, int*, int);

void demonstrate_run(std::string const& inputs, std::string const& image) {
  auto const png = contents_of(image);
  layerkey::x86::jit compiler;
  for (auto const& from : read_list(inputs, "x86.list")) {
    if (from.stem != "stb_image") continue;
    for (int request = 1; request <= 2; ++request) {
      auto const loaded = compiler.get<layerkey::x86::loading>(from.ir, {.cpu = "x86-64-v2"});
      if (!loaded) return expect(false, loaded.error().text);
      auto* const load = loaded->function<decode>("stbi_load_from_memory");
      if (!load) return expect(false, "the object defines stbi_load_from_memory");
      int width = 0, height = 0, channels = 0;
      auto* const pixels = load(reinterpret_cast<unsigned char const*>(png.data()),
                                static_cast<int>(png.size()), &width, &height, &channels, 3);
      int right = 0;
      for (int y = 0; pixels && y < height; ++y)
        for (int x = 0; x < width; ++x) {
          auto const* const p = pixels + 3 * (y * width + x);
          // The picture was made by this formula; see inputs/x86/sample.txt.
          right += p[0] == 4 * x && p[1] == 5 * y && p[2] == (x * y) % 256;
        }
      expect(width == 64 && height == 48 && right == width * height,
             "the library just compiled decodes " + std::to_string(right) + " of " +
                 std::to_string(width * height) + " pixels right");
    }
  }
  std::fputs(table_of(compiler.statistics()).c_str(), stdout);
  expect_runs(compiler.statistics(), "loading", 1);
}

}  // namespace
}  // namespace multi_target

int main(int argc, char** argv) {
  std::string const phase = argc == 4 ? argv[1] : "";
  if (phase == "run")
    multi_target::demonstrate_run(argv[2], argv[3]);
  else if (phase == "x86" || phase == "ptx") {
    std::filesystem::remove_all(argv[3]);
    std::filesystem::create_directories(argv[3]);
    (phase == "x86" ? multi_target::demonstrate_x86 : multi_target::demonstrate_ptx)(argv[2],
                                                                                     argv[3]);
  } else {
    std::fputs("usage: layerkey-demo x86|ptx INPUTS OUT, or layerkey-demo run INPUTS IMAGE\n",
               stderr);
    return 2;
  }
  return multi_target::all_good ? 0 : 1;
}
