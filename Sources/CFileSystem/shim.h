#pragma once

// Swift's Glibc module does not contain this header.
#include <sys/statfs.h>
