// One step of n bodies under gravity: all pairs, with the bodies passed through shared memory.

#include "cuda_lite.hpp"

constexpr int tile = 128;
constexpr float softening = 1e-3f;

struct alignas(16) body {
  float x, y, z, mass;
};

struct velocity {
  float x, y, z;
};

// The bodies after the step go to another array: other blocks still read those before it. Blocks of
// tile threads, one of them per body.
extern "C" __global__ void nbody_step(body* __restrict__ after, velocity* __restrict__ velocities,
                                      body const* __restrict__ before, float dt, int n) {
  __shared__ body others[tile];
  int const i = block_x() * tile + thread_x();
  body self = i < n ? before[i] : body{0, 0, 0, 0};

  float ax = 0;
  float ay = 0;
  float az = 0;
  for (int first = 0; first < n; first += tile) {
    int const j = first + thread_x();
    others[thread_x()] = j < n ? before[j] : body{0, 0, 0, 0};
    __syncthreads();
    for (int k = 0; k < tile; ++k) {
      float const dx = others[k].x - self.x;
      float const dy = others[k].y - self.y;
      float const dz = others[k].z - self.z;
      float const inverse = __nv_rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float const pull = others[k].mass * inverse * inverse * inverse;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    __syncthreads();
  }
  if (i < n) {
    velocity& v = velocities[i];
    v.x += ax * dt;
    v.y += ay * dt;
    v.z += az * dt;
    self.x += v.x * dt;
    self.y += v.y * dt;
    self.z += v.z * dt;
    after[i] = self;
  }
}

extern "C" __global__ void nbody_speeds(float* __restrict__ speeds,
                                        velocity const* __restrict__ velocities, int n) {
  int const i = global_x();
  if (i < n) {
    velocity const v = velocities[i];
    speeds[i] = __nv_sqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  }
}
