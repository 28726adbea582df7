// The parts of what the program prints.
#pragma once

namespace julia {

void print_kernel_workloads();
void print_autodiff_workload();

// Another capability, and other params.sm alone (GPUCompiler #560 and the objection to #561).
void print_second_requests();

// What two calls of autodiff infer (Enzyme #1182), and one call in a large graph (Enzyme #3499).
void print_inferences();

// Members by layers.
void print_members();

}  // namespace julia
