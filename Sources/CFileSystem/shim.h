#pragma once

// Swift's Glibc module does not contain this header.
#include <sys/statfs.h>

// glibc declares it only for programs that ask for all of GNU's extensions (syncfs(2)).
int syncfs(int fd);
