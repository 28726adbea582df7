// The stages put together, with exact keys and with others.
#pragma once

#include "stages.hpp"
#include "strategies.hpp"

#include <layerkey/cache/pipeline.hpp>

namespace julia {

using layerkey::early_cutoff, layerkey::ignores, layerkey::stage, layerkey::strategy;

// ---- kernels -----------------------------------------------------------------------------------

// The runtime library is made beside the kernels. Optimised IR and the library are found by the
// content of what they are made from: IR that does not ask for its target is the same for all.
template<class Params, class... More>
using kernel_pipeline =
    layerkey::pipeline<Params, stage<infer>, stage<emit_ir>, stage<fill_globals>,
                       early_cutoff<stage<optimize>>, stage<emit_code>, stage<link>,
                       stage<make_host_object>, stage<emit_runtime>, stage<fill_runtime_globals>,
                       early_cutoff<stage<assemble_runtime>>, More...>;

using kernel_compiler = kernel_pipeline<cuda::kernel_launch>;

// The same with other keys.
class kernel_compiler_by {
 public:
  explicit kernel_compiler_by(scheme by) : by_(by) {}

  template<class Layer>
  auto get(typename Layer::input const& input, cuda::kernel_launch const& launch) {
    return compiler_.get<Layer>(input, {launch, by_});
  }
  layerkey::statistics statistics() const { return compiler_.statistics(); }

 private:
  scheme by_;
  kernel_pipeline<keyed_launch, strategy<by_scheme>> compiler_;
};

// ---- derivatives -------------------------------------------------------------------------------

// Enzyme finishes its thunks itself, so GPUCompiler's last layers are not there.
template<class Job, class... Stages>
using enzyme_pipeline = layerkey::pipeline<Job, ignores<optimization>, ignores<machine_code>,
                                           ignores<runtime_functions>, Stages...>;

// A pipeline for each type of job. What inference reads has one key in all of them, so they share
// its cache, and the compiler would say if they could not.
class autodiff_compiler {
 public:
  // What inference for the job is found by, beside the method: one type for all.
  template<class Job>
  layerkey::key<inference, enzyme::primal> owner(Job const& job) const {
    return layerkey::make_key<inference>(job);
  }

  auto infer(method_instance const& f, enzyme::return_type_query const& job) {
    return queries_.get<inference>(f, job);
  }
  auto infer(method_instance const& f, enzyme::autodiff const& job) {
    return derivatives_.get<inference>(f, job);
  }
  auto infer(method_instance const& f, enzyme::primal const& job) {
    return primals_.get<inference>(f, job);
  }
  auto differentiate(method_instance const& f, enzyme::autodiff const& job) {
    return derivatives_.get<derivative>(f, job);
  }
  layerkey::statistics statistics() const { return derivatives_.statistics(); }

 private:
  using shared_inference = layerkey::shared_layer<stage<infer_for_enzyme>>;

  shared_inference inference_;
  enzyme_pipeline<enzyme::return_type_query, shared_inference, ignores<irgen>, ignores<derivative>,
                  ignores<thunk>>
      queries_{inference_};
  enzyme_pipeline<enzyme::primal, shared_inference, ignores<irgen>, ignores<thunk>> primals_{
      inference_};
  enzyme_pipeline<enzyme::autodiff, shared_inference, stage<emit_primal_ir>,
                  stage<julia::differentiate>, stage<finish>>
      derivatives_{inference_};
};

// The same with other keys. These tell the types of job apart, so that there is nothing to share.
class autodiff_compiler_by {
 public:
  explicit autodiff_compiler_by(scheme by) : by_(by) {}

  template<class Job>
  raw_key owner(Job const& job) const {
    return by_scheme::key<inference>(keyed(job));
  }

  template<class Job>
  auto infer(method_instance const& f, Job const& job) {
    return compiler_.get<inference>(f, keyed(job));
  }
  auto differentiate(method_instance const& f, enzyme::autodiff const& job) {
    return compiler_.get<derivative>(f, keyed(job));
  }
  layerkey::statistics statistics() const { return compiler_.statistics(); }

 private:
  keyed_job keyed(enzyme::autodiff const& job) const { return {job, job_type::autodiff, by_}; }
  keyed_job keyed(enzyme::return_type_query const& job) const {
    return {{.target = {job.target}, .params = job.params, .kernel = job.kernel},
            job_type::return_type_query,
            by_};
  }
  keyed_job keyed(enzyme::primal const& job) const {
    keyed_job all{{.target = {job.target}, .kernel = job.kernel}, job_type::primal, by_};
    all.config.params.params = job.params;
    all.config.params.mode = job.params.mode;
    return all;
  }

  scheme by_;
  enzyme_pipeline<keyed_job, stage<infer_for_enzyme>, stage<emit_primal_ir>,
                  stage<julia::differentiate>, stage<finish>, strategy<by_scheme>>
      compiler_;
};

// Calls run(name, make) for each of them and for exact keys; make() is a compiler without entries.
template<class By, class Exact, class Run>
void with_each_compiler(Run const& run) {
  auto const by = [&run](char const* name, scheme s) { run(name, [s] { return By(s); }); };
  by("whole", scheme::whole);
  by("old_token", scheme::old_token);
  by("token", scheme::token);
  by("tags", scheme::tags);
  run("exact", [] { return Exact(); });
  by("narrow", scheme::narrow);
}

}  // namespace julia
