#include "batch.hpp"

#include <layerkey/encoding.hpp>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

namespace multi_target {
namespace {

// Which job this thread works on, for the listener.
thread_local std::string const* current_job = nullptr;

template<class Artifact, class Bytes>
layerkey::outcome<std::string> bytes_of(layerkey::outcome<Artifact> const& made, Bytes bytes) {
  if (!made) return made.error();
  return std::string(bytes(*made));
}

auto const code_bytes = [](layerkey::machine_code const& code) { return code.bytes; };
auto const ir_bytes = [](layerkey::ir_module const& ir) { return ir.bitcode(); };

std::string in_milliseconds(std::chrono::nanoseconds time) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f ms", static_cast<double>(time.count()) / 1e6);
  return text;
}

}  // namespace

char const* suffix_of(output_kind kind) {
  switch (kind) {
    case output_kind::obj:
      return ".o";
    case output_kind::asm_:
      return ".s";
    case output_kind::ptx:
      return ".ptx";
    case output_kind::bc:
      return ".bc";
  }
  return "";
}

compilers::compilers()
    : x86_(std::make_unique<layerkey::x86::compiler>()),
      ptx_(std::make_unique<layerkey::ptx::compiler>()) {}

compilers::compilers(layerkey::artifact_store& store)
    : x86_(std::make_unique<layerkey::x86::compiler>(store)),
      ptx_(std::make_unique<layerkey::ptx::compiler>(store)) {}

unsigned shard_of(job const& j, unsigned shards) {
  std::string first;
  auto const append = [&first](std::byte const* from, std::size_t size) {
    first.append(reinterpret_cast<char const*>(from), size);
  };
  if (auto const* x86 = std::get_if<layerkey::x86_params>(&j.params))
    layerkey::encode<layerkey::x86::optimization>(*x86, append);
  else
    layerkey::encode<layerkey::ptx::specialize>(std::get<layerkey::ptx_params>(j.params), append);
  layerkey::encode_value(j.input, append);
  auto const digest = layerkey::digest_of(first);
  std::uint64_t number = 0;
  for (int i = 0; i != 8; ++i) number = number << 8 | digest.bytes[i];
  return static_cast<unsigned>(number % shards) + 1;
}

layerkey::outcome<std::string> compilers::make(job const& j) {
  current_job = &j.name;
  if (auto const* x86 = std::get_if<layerkey::x86_params>(&j.params)) {
    if (j.kind == output_kind::bc)
      return bytes_of(x86_->get<layerkey::x86::optimization>(j.input, *x86), ir_bytes);
    auto params = *x86;
    params.output = j.kind == output_kind::asm_ ? layerkey::x86::output_kind::assembly
                                                : layerkey::x86::output_kind::object;
    return bytes_of(x86_->get<layerkey::x86::codegen>(j.input, params), code_bytes);
  }
  auto const& ptx = std::get<layerkey::ptx_params>(j.params);
  if (j.kind == output_kind::bc)
    return bytes_of(ptx_->get<layerkey::ptx::optimization>(j.input, ptx), ir_bytes);
  return bytes_of(ptx_->get<layerkey::ptx::codegen>(j.input, ptx), code_bytes);
}

void compilers::on_run(run_listener told) {
  auto const forward = [told = std::move(told)](layerkey::run_report const& report) {
    told(*current_job, report);
  };
  x86_->on_run(forward);
  ptx_->on_run(forward);
}

layerkey::statistics compilers::statistics() const {
  // The PTX compiler has every layer that the x86 one has, and one before them.
  auto rows = ptx_->statistics();
  for (auto const& more : x86_->statistics()) {
    auto& row = *std::find_if(rows.begin(), rows.end(),
                              [&](auto const& each) { return each.layer == more.layer; });
    row.requests += more.requests;
    row.served += more.served;
    row.runs += more.runs;
    row.failures += more.failures;
    row.failures_without_run += more.failures_without_run;
    row.spent += more.spent;
    row.saved += more.saved;
  }
  return rows;
}

batch_result run_batch(
    compilers& through, std::vector<job> const& jobs, unsigned threads,
    std::function<void(job const&)> const& started,
    std::function<void(job const&, layerkey::outcome<std::string> const&)> const& done) {
  std::atomic<std::size_t> next = 0;
  std::mutex reporting;
  batch_result result;

  auto const work = [&] {
    for (auto i = next++; i < jobs.size(); i = next++) {
      {
        std::lock_guard const lock(reporting);
        started(jobs[i]);
      }
      auto const made = through.make(jobs[i]);
      std::lock_guard const lock(reporting);
      ++(made ? result.made : result.failed);
      done(jobs[i], made);
    }
  };

  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < threads; ++i) workers.emplace_back(work);
  work();
  workers.clear();
  return result;
}

std::string table_of(layerkey::statistics const& rows) {
  char line[160];
  std::snprintf(line, sizeof line, "%-14s %9s %8s %6s %14s %14s\n", "layer", "requests", "served",
                "run", "spent", "saved");
  std::string out = line;
  for (auto const& row : rows) {
    std::snprintf(line, sizeof line, "%-14s %9llu %8llu %6llu %14s %14s\n", row.layer.c_str(),
                  static_cast<unsigned long long>(row.requests),
                  static_cast<unsigned long long>(row.served),
                  static_cast<unsigned long long>(row.runs), in_milliseconds(row.spent).c_str(),
                  in_milliseconds(row.saved).c_str());
    out += line;
  }
  return out;
}

layerkey::statistics since(layerkey::statistics const& before, layerkey::statistics const& after) {
  auto rows = after;
  for (std::size_t i = 0; i != rows.size(); ++i) {
    rows[i].requests -= before[i].requests;
    rows[i].served -= before[i].served;
    rows[i].runs -= before[i].runs;
    rows[i].failures -= before[i].failures;
    rows[i].failures_without_run -= before[i].failures_without_run;
    rows[i].spent -= before[i].spent;
    rows[i].saved -= before[i].saved;
  }
  return rows;
}

std::string reason_of(layerkey::run_report const& report) {
  switch (report.reason) {
    case layerkey::run_reason::first_of_its_input:
      return "nothing is stored for this input";
    case layerkey::run_reason::upstream_differs:
      return "the upstream artifact has other content";
    case layerkey::run_reason::members_differ:
      break;
  }
  // A member that two layers see in different forms is there twice; then the layer tells them
  // apart.
  auto const stands_twice = [&report](std::string const& member) {
    return std::count_if(report.differences.begin(), report.differences.end(),
                         [&](auto const& d) { return d.member == member; }) > 1;
  };
  std::string text;
  for (auto const& d : report.differences)
    text += (text.empty() ? "" : ", ") + d.member +
            (stands_twice(d.member) ? " (" + d.layer + ")" : "") + ": " + d.before + " -> " +
            d.after;
  return text;
}

std::string write_file(std::string const& path, std::string const& bytes) {
  // A name of its own, so that two programs that write the same file do not write into each other.
  std::string partial = path + ".XXXXXX";
  int const file = mkstemp(partial.data());
  if (file < 0) return std::strerror(errno);
  std::size_t written = 0;
  while (written != bytes.size()) {
    auto const now = write(file, bytes.data() + written, bytes.size() - written);
    if (now < 0 && errno == EINTR) continue;
    if (now < 0) break;
    written += static_cast<std::size_t>(now);
  }
  int const failure = written == bytes.size() ? 0 : errno;
  auto const mask = umask(0);
  umask(mask);
  fchmod(file, 0666 & ~mask);
  bool const closed = close(file) == 0;
  if (failure == 0 && closed && std::rename(partial.c_str(), path.c_str()) == 0) return {};
  auto const why = failure != 0 ? failure : errno;
  unlink(partial.c_str());
  return std::strerror(why);
}

}  // namespace multi_target
