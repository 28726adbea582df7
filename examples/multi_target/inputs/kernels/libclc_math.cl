// libdevice's functions that the kernels use, in terms of OpenCL's: linked with libclc, this takes
// the place of libdevice where there is none.

float __nv_expf(float x) { return exp(x); }
float __nv_powf(float x, float y) { return pow(x, y); }
float __nv_rsqrtf(float x) { return rsqrt(x); }
float __nv_sqrtf(float x) { return sqrt(x); }
float __nv_tanhf(float x) { return tanh(x); }
