#pragma once

// Swift's Glibc module does not contain this header.
#include <sys/statfs.h>

// glibc declares these functions only for programs that define _GNU_SOURCE, which Swift's Glibc module does not.
#include <spawn.h>
int pipe2(int ends[2], int flags);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int lowest);
int syncfs(int fd);
