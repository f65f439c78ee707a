#pragma once

#include "rope/diagnose/verdict/judge.hpp"  // under this path for apps/rope/diagnose/files.cpp
