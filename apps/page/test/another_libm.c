/* A C library whose every cos, sin, exp, log, pow … that is not exact is one unit in the last place too large. Loaded before a program
 * (LD_PRELOAD), it shows which of the program's numbers go through the C library, and that a difference so small is seen. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>

#define OF_ONE(type, name, next)                                \
  type name(type x) {                                           \
    type (*const real)(type) = dlsym(RTLD_NEXT, #name);         \
    const type y = real(x);                                     \
    return y == floorl(y) ? y : next(y, (type)INFINITY);    \
  }
#define OF_TWO(type, name, next)                                \
  type name(type x, type y) {                                   \
    type (*const real)(type, type) = dlsym(RTLD_NEXT, #name);   \
    const type z = real(x, y);                                  \
    return z == floorl(z) ? z : next(z, (type)INFINITY);    \
  }
#define OF_BOTH(of, name) of(double, name, nextafter) of(float, name##f, nextafterf) of(long double, name##l, nextafterl)

OF_BOTH(OF_ONE, cos)
OF_BOTH(OF_ONE, sin)
OF_BOTH(OF_ONE, tan)
OF_BOTH(OF_ONE, asin)
OF_BOTH(OF_ONE, acos)
OF_BOTH(OF_ONE, atan)
OF_BOTH(OF_ONE, exp)
OF_BOTH(OF_ONE, exp2)
OF_BOTH(OF_ONE, expm1)
OF_BOTH(OF_ONE, log)
OF_BOTH(OF_ONE, log2)
OF_BOTH(OF_ONE, log10)
OF_BOTH(OF_ONE, log1p)
OF_BOTH(OF_ONE, cbrt)
OF_BOTH(OF_TWO, pow)
OF_BOTH(OF_TWO, atan2)
OF_BOTH(OF_TWO, hypot)

void sincos(double x, double* s, double* c) { *s = sin(x), *c = cos(x); }
void sincosf(float x, float* s, float* c) { *s = sinf(x), *c = cosf(x); }
void sincosl(long double x, long double* s, long double* c) { *s = sinl(x), *c = cosl(x); }
