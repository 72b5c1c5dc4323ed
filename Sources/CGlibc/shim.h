#pragma once

// Swift's Glibc module does not contain this header.
#include <sys/statfs.h>

// glibc declares these functions only for programs that define _GNU_SOURCE, which Swift's Glibc module does not.
#include <spawn.h>
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int lowest);
int syncfs(int fd);

// Foundation's attributes do not contain the time of birth, and a preloaded library may move the times of `stat`.
#include <linux/stat.h>
#include <sys/syscall.h>
long syscall(long number, ...);

/// Returns the time of birth of a file in nanoseconds since 1970, or -1 if the file system has none.
static inline long long openmarket_birth_time(const char *path) {
  struct statx facts;
  if (syscall(SYS_statx, /* AT_FDCWD */ -100, path, 0, STATX_BTIME, &facts) != 0 || !(facts.stx_mask & STATX_BTIME)) return -1;
  return facts.stx_btime.tv_sec * 1000000000LL + facts.stx_btime.tv_nsec;
}
