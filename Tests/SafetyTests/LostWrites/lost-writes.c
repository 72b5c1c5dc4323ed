/* An LD_PRELOAD library that records what a power failure would leave of a folder.
 *
 * LOST_WRITES_ROOT is the folder, and LOST_WRITES_SHADOW another one on the same file system. Every fsync and fdatasync
 * in the root copies the file to SHADOW/f<inode>, or lists the directory in SHADOW/d<inode> as lines of
 * "<inode> <d or f> <name>"; nothing else is durable. A file that loses its last name is preserved, so that its inode
 * isn't reused. With LOST_WRITES_IGNORED, a part of a path, calls for such files have no effect, as with
 * `PRAGMA synchronous = OFF`.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[PATH_MAX], shadow[PATH_MAX], ignored[256];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int count;

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("LOST_WRITES_ROOT"), *notes = getenv("LOST_WRITES_SHADOW");
  const char *part = getenv("LOST_WRITES_IGNORED");
  if (!folder || !notes || !realpath(folder, root) || !realpath(notes, shadow)) root[0] = 0;
  if (part) snprintf(ignored, sizeof ignored, "%s", part);
  unsetenv("LD_PRELOAD");
}

static int is_below(const char *path) {
  size_t length = strlen(root);
  return length && !strncmp(path, root, length) && (path[length] == '/' || !path[length]);
}

static int (*next_rename(void))(const char *, const char *) {
  static int (*call)(const char *, const char *);
  if (!call) call = dlsym(RTLD_NEXT, "rename");
  return call;
}

static void list(int fd, FILE *notes) {
  int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *directory = copy < 0 ? NULL : fdopendir(copy);
  if (!directory) return;
  for (struct dirent *entry; (entry = readdir(directory));) {
    struct stat facts;
    if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..")) continue;
    if (fstatat(fd, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW)) continue;
    fprintf(notes, "%lu %c %s\n", (unsigned long)facts.st_ino, S_ISDIR(facts.st_mode) ? 'd' : 'f', entry->d_name);
  }
  closedir(directory);
}

static void copy(const char *path, FILE *notes) {
  char buffer[65536];
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t got;
  while (fd >= 0 && (got = read(fd, buffer, sizeof buffer)) > 0) fwrite(buffer, 1, (size_t)got, notes);
  if (fd >= 0) close(fd);
}

static int sync_file(int fd) {
  char link[64], path[PATH_MAX], draft[PATH_MAX + 64], final[PATH_MAX + 64];
  struct stat facts;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) {
    errno = EBADF;
    return -1;
  }
  path[length] = 0;
  if (!is_below(path) || (ignored[0] && strstr(path, ignored)) || fstat(fd, &facts)) return 0;
  pthread_mutex_lock(&lock);
  snprintf(draft, sizeof draft, "%s/draft-%d", shadow, getpid());
  snprintf(
    final, sizeof final, "%s/%c%lu", shadow, S_ISDIR(facts.st_mode) ? 'd' : 'f', (unsigned long)facts.st_ino);
  FILE *notes = fopen(draft, "we");
  if (notes) {
    if (S_ISDIR(facts.st_mode)) list(fd, notes);
    else copy(link, notes);
    fclose(notes);
    next_rename()(draft, final);
  }
  pthread_mutex_unlock(&lock);
  return 0;
}

int fsync(int fd) { return sync_file(fd); }
int fdatasync(int fd) { return sync_file(fd); }

static void keep(const char *path) {
  char name[PATH_MAX + 64], full[PATH_MAX];
  int error = errno;
  if (root[0] && realpath(path, full) && is_below(full)) {
    snprintf(name, sizeof name, "%s/kept-%d-%d", shadow, getpid(), atomic_fetch_add(&count, 1));
    if (link(path, name)) errno = error;
  }
  errno = error;
}

int unlink(const char *path) {
  int (*call)(const char *) = dlsym(RTLD_NEXT, "unlink");
  keep(path);
  return call(path);
}

int rename(const char *from, const char *to) {
  keep(to);
  return next_rename()(from, to);
}
