// layerkey-compile: IR files x targets x levels to objects, assembly, PTX or optimised bitcode.
#include "batch.hpp"
#include "kept.hpp"
#include "options.hpp"

#include <layerkey/enumerators.hpp>
#include <layerkey/member_table.hpp>

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace multi_target {
namespace {

void complain(std::string const& line) {
  std::fprintf(stderr, "layerkey-compile: %s\n", line.c_str());
}

bool is_gpu(std::string const& target) { return target.starts_with("sm_"); }

bool fits(output_kind kind, std::string const& target) {
  return kind == output_kind::bc || (kind == output_kind::ptx) == is_gpu(target);
}

char const* word_for(output_kind kind) {
  switch (kind) {
    case output_kind::obj:
      return "obj";
    case output_kind::asm_:
      return "asm";
    case output_kind::ptx:
      return "ptx";
    case output_kind::bc:
      return "bc";
  }
  return "";
}

// The params of a target at the first level, checked against what LLVM knows.
std::optional<any_params> params_for(std::string const& target, options const& given) {
  if (is_gpu(target)) {
    auto params = given.ptx;
    if (!params.sm.assign(target)) {
      complain("--target " + target + ": no such architecture; possible: " +
               layerkey::ptx::sm_names().front() + " ... " + layerkey::ptx::sm_names().back());
      return {};
    }
    if (auto const wrong = layerkey::ptx::check(params); !wrong.text.empty()) {
      complain("--target " + target + ": " + wrong.text);
      return {};
    }
    return params;
  }
  auto params = given.x86;
  std::string cpu = target;
  std::string features;
  if (target == "native") {
    auto host = layerkey::x86::host();
    cpu = host.cpu;
    features = host.features;
    if (!params.features.empty()) features += "," + std::string(params.features);
    if (!params.features.assign(features)) {
      complain(
          "--target native: the features of this machine do not fit into the params; name its "
          "CPU instead: " +
          cpu);
      return {};
    }
  }
  if (!params.cpu.assign(cpu)) {
    complain("--target " + target + ": no such CPU");
    return {};
  }
  if (auto const wrong = layerkey::x86::check(params); !wrong.text.empty()) {
    complain("--target " + target + ": " + wrong.text);
    return {};
  }
  return params;
}

struct input_file {
  std::string path;
  std::string stem;
  layerkey::ir_module ir;
};

std::optional<input_file> read(std::string const& path) {
  auto const ir = layerkey::ir_module::from_file(path);
  if (!ir) {
    complain(ir.error().text);
    return {};
  }
  return input_file{path, std::filesystem::path(path).stem().string(), *ir};
}

struct plan {
  std::vector<job> jobs;
  bool complete = true;  // false: something that was asked for cannot be made
};

void plan_input(plan& into, input_file const& input, std::vector<std::string> const& targets,
                std::vector<any_params> const& params, options const& given,
                std::set<std::string>& names) {
  bool fits_any = false;
  bool fits_x86 = false;
  std::string wrong_target;
  for (std::size_t t = 0; t != targets.size(); ++t) {
    auto const mismatch =
        is_gpu(targets[t])
            ? layerkey::ptx::check(input.ir, std::get<layerkey::ptx_params>(params[t]))
            : layerkey::x86::check(input.ir, std::get<layerkey::x86_params>(params[t]));
    if (!mismatch.text.empty()) {
      if (wrong_target.empty()) wrong_target = mismatch.text;
      continue;
    }
    fits_any = true;
    fits_x86 |= !is_gpu(targets[t]);
    if (is_gpu(targets[t]) && given.libdevice_is_missing) continue;
    auto kinds = given.emit;
    if (kinds.empty()) kinds = {is_gpu(targets[t]) ? output_kind::ptx : output_kind::obj};
    for (auto const level : given.levels)
      for (auto const kind : kinds) {
        if (!fits(kind, targets[t])) continue;
        job next{input.stem + "." + targets[t] + "." +
                     std::string(layerkey::enumerator_name(level)) + suffix_of(kind),
                 input.ir, params[t], kind};
        std::visit([&](auto& p) { p.level = level; }, next.params);
        if (names.insert(next.name).second)
          into.jobs.push_back(std::move(next));
        else {
          complain(input.path + ": another input makes " + next.name + " too; rename one of them");
          into.complete = false;
        }
      }
  }
  if (!fits_any && !targets.empty()) {
    complain(input.path + ": " + wrong_target);
    into.complete = false;
  }
  if (fits_x86 && input.ir.functions_with_own_target() != 0)
    complain(input.path + ": note: " + std::to_string(input.ir.functions_with_own_target()) +
             " functions name a CPU themselves (\"target-cpu\") and keep it; strip the attribute "
             "to compile them for --target");
}

plan make_plan(options const& given) {
  plan result;
  for (auto const& level : given.unknown_levels) {
    complain(level + ": no such level; possible: -O0, -O1, -O2, -O3, -Os, -Oz");
    result.complete = false;
  }
  std::vector<std::string> targets;
  std::vector<any_params> params;
  for (auto const& target : given.targets) {
    auto const p = params_for(target, given);
    result.complete &= p.has_value();
    if (!p) continue;
    bool any = given.emit.empty();
    for (auto const kind : given.emit) any |= fits(kind, target);
    if (!any) {
      complain("--target " + target + ": it has none of the kinds in --emit; possible: " +
               (is_gpu(target) ? "ptx, bc" : "obj, asm, bc"));
      result.complete = false;
      continue;
    }
    targets.push_back(target);
    params.push_back(*p);
  }
  for (auto const kind : given.emit) {
    bool any = targets.empty();
    for (auto const& target : targets) any |= fits(kind, target);
    if (!any) {
      complain(std::string("--emit ") + word_for(kind) + ": it fits none of the targets");
      result.complete = false;
    }
  }
  std::set<std::string> names;
  for (auto const& path : given.inputs) {
    auto const input = read(path);
    result.complete &= input.has_value();
    if (input) plan_input(result, *input, targets, params, given, names);
  }
  return result;
}

void print_keys() {
  using namespace layerkey;
  std::printf(
      "x86\n%s\nptx\n%s", tabulate<x86_params, x86::optimization, x86::codegen>().to_text().c_str(),
      tabulate<ptx_params, ptx::specialize, ptx::optimization, ptx::codegen>().to_text().c_str());
}

bool prepare_folder(std::string const& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK | X_OK) == 0) return true;
  complain(folder + ": cannot write there" + (error ? ": " + error.message() : "") +
           "; name another folder with --out");
  return false;
}

// The first libdevice function that PTX text declares and does not define; ptxas takes such a text,
// and a link fails.
std::string undefined_device_function(std::string const& ptx) {
  for (auto at = ptx.find(".extern .func"); at != std::string::npos;
       at = ptx.find(".extern .func", at + 1)) {
    auto const line = ptx.substr(at, ptx.find('\n', at) - at);
    auto const name = line.find("__nv_");
    if (name != std::string::npos) return line.substr(name, line.find_first_of(" (", name) - name);
  }
  return {};
}

// One line on a terminal that is overwritten: how many are made, and what was begun last. Nothing
// elsewhere.
class progress {
 public:
  explicit progress(std::size_t all) : all_(all) {}

  void started(std::string const& name) {
    if (!shown_) return;
    auto line = "[" + std::to_string(done_) + "/" + std::to_string(all_) + "] " + name;
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1 &&
        line.size() >= size.ws_col)
      line.resize(size.ws_col - 1U);
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
  }
  void done() { ++done_; }
  void clear() const {
    if (shown_) std::fputs("\r\033[K", stderr);
  }

 private:
  std::size_t all_;
  std::size_t done_ = 0;
  bool shown_ = isatty(STDERR_FILENO) != 0;
};

// What went wrong with a job, empty if nothing did.
std::string deliver(job const& j, layerkey::outcome<std::string> const& made,
                    std::string const& folder) {
  if (!made) return j.name + ": " + made.error().text;
  auto const path = (std::filesystem::path(folder) / j.name).string();
  auto const why = write_file(path, *made);
  return why.empty() ? "" : path + ": cannot write: " + why;
}

int compile(options given, layerkey::entry_store* cache) {
  bool good = true;
  if (!given.libdevice.empty()) {
    auto const library = layerkey::ptx::load_device_library(given.libdevice);
    if (library)
      given.ptx.libdevice = *library;
    else {
      complain(library.error().text);
      good = false;
      given.libdevice_is_missing = true;
    }
  }
  if (!prepare_folder(given.out)) return 1;
  auto planned = make_plan(given);
  good &= planned.complete;
  std::erase_if(planned.jobs,
                [&given](job const& j) { return shard_of(j, given.shards) != given.shard; });

  progress shown(planned.jobs.size());
  auto through = cache ? compilers(*cache) : compilers();
  if (given.explain)
    through.on_run([&shown](std::string const& name, layerkey::run_report const& report) {
      shown.clear();
      std::printf("%s: %s ran: %s\n", name.c_str(), report.layer.c_str(),
                  reason_of(report).c_str());
    });

  std::set<std::string> undefined;  // device functions that were complained about
  auto const result = run_batch(
      through, planned.jobs, given.jobs, [&](job const& j) { shown.started(j.name); },
      [&](job const& j, auto const& made) {
        shown.done();
        if (auto const wrong = deliver(j, made, given.out); !wrong.empty()) {
          shown.clear();
          complain(wrong);
          good = false;
        }
        if (auto const name = made ? undefined_device_function(*made) : "";
            !name.empty() && undefined.insert(name).second) {
          shown.clear();
          complain(j.name + ": note: it calls " + name +
                   ", which nothing defines; name a device library with --libdevice");
        }
      });
  shown.clear();
  good &= result.failed == 0;
  std::fputs(table_of(through.statistics()).c_str(), stdout);
  return good ? 0 : 1;
}

}  // namespace
}  // namespace multi_target

int main(int argc, char** argv) {
  int status = 0;
  auto const given = multi_target::parse(argc, argv, status);
  if (given && given->keys) multi_target::print_keys();
  if (given) {
    std::unique_ptr<layerkey::entry_store> cache;
    if (!given->inputs.empty()) {
      cache = multi_target::open_cache(*given);
      status = multi_target::compile(*given, cache.get());
      if (cache) cache->flush();
    }
    std::vector<std::string> complaints;
    if (!multi_target::look_after_cache(*given, cache.get(), complaints)) status = 1;
    if (cache)
      for (auto const& each : multi_target::problems_of(*cache))
        complaints.push_back("note: " + each);
    for (auto const& each : complaints) multi_target::complain(each);
  }
  // What could not be said was not done.
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    multi_target::complain("standard output: cannot write");
    status = 1;
  }
  return status;
}
