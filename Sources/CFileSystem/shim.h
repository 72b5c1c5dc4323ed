#pragma once

// Swift's module of the C library leaves it out.
#include <sys/statfs.h>
