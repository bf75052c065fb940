// Stands between a program and its files, below the folder ATTACK_ROOT: records what it does there, ends
// it before a given operation, or has the disk be full. Preloaded (LD_PRELOAD); Linux with glibc.
//
//   ATTACK_LOG         appends every operation that succeeded, in the form that journal.py reads
//   ATTACK_KILL        number of the operation before which the process ends by SIGKILL; of a write,
//                      half is done
//   ATTACK_FULL        number of the operation from which on nothing can be written, created, renamed
//                      or synchronised any more
//   ATTACK_FULL_BYTES  bytes that can be written; the write that goes beyond is cut short, and nothing
//                      can be written or created any more
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define MOST_FILES 4096

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static int log_file = -1;
static long kill_at = -1, full_at = -1, room = -1, operations;
static int no_room;
static char watched[MOST_FILES];

static long number(const char *name) {
  const char *text = getenv(name);
  return text ? atol(text) : -1;
}

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("ATTACK_ROOT"), *log = getenv("ATTACK_LOG");
  if (folder) snprintf(root, sizeof root, "%s", folder);
  if (log) log_file = syscall(SYS_openat, AT_FDCWD, log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  kill_at = number("ATTACK_KILL");
  full_at = number("ATTACK_FULL");
  room = number("ATTACK_FULL_BYTES");
}

// The path below the root, in `below`; 0 where it is elsewhere.
static int inside(int folder, const char *path, char *below) {
  char whole[2 * PATH_MAX], base[PATH_MAX] = "";
  if (!root[0] || !path) return 0;
  if (path[0] != '/') {
    if (folder == AT_FDCWD) {
      if (!getcwd(base, sizeof base)) return 0;
    } else {
      char link[64];
      snprintf(link, sizeof link, "/proc/self/fd/%d", folder);
      ssize_t length = readlink(link, base, sizeof base - 1);
      if (length < 0) return 0;
      base[length] = 0;
    }
    snprintf(whole, sizeof whole, "%s/%s", base, path);
  } else {
    snprintf(whole, sizeof whole, "%s", path);
  }
  size_t length = strlen(root);
  if (strncmp(whole, root, length) || (whole[length] && whole[length] != '/')) return 0;
  snprintf(below, PATH_MAX, "%s", whole[length] ? whole + length + 1 : "");
  return 1;
}

static int is_watched(int file) {
  struct stat found;
  return file >= 0 && file < MOST_FILES && watched[file] && !fstat(file, &found) &&
         (S_ISREG(found.st_mode) || S_ISDIR(found.st_mode));
}

static void record(const char *form, ...) {
  char line[3 * PATH_MAX];
  if (log_file < 0) return;
  va_list values;
  va_start(values, form);
  int length = vsnprintf(line, sizeof line, form, values);
  va_end(values);
  syscall(SYS_write, log_file, line, length);
}

static void end_here(void) { kill(getpid(), SIGKILL); }

// Counts an operation; whether the disk is full for it.
static int refused(int needs_room) {
  long current = operations++;
  if (current == kill_at) end_here();
  if (full_at >= 0 && current >= full_at) return 1;
  return no_room && needs_room;
}

static int fail(void) {
  errno = ENOSPC;
  return -1;
}

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  char below[PATH_MAX];
  int here = inside(folder, path, below);
  int changes = here && (flags & (O_CREAT | O_TRUNC)), exists = 0;
  pthread_mutex_lock(&lock);
  if (changes) exists = !faccessat(folder, path, F_OK, 0);
  int file = changes && refused(!exists) ? fail() : (int)syscall(SYS_openat, folder, path, flags, mode);
  int error = errno;
  if (file >= 0 && file < MOST_FILES) watched[file] = here;
  if (file >= 0 && here) record("O %d %d %s\n", file, !!(flags & O_TRUNC), below);
  pthread_mutex_unlock(&lock);
  errno = error;
  return file;
}

#define MODE(flags, mode)                        \
  mode_t mode = 0;                               \
  if ((flags) & (O_CREAT | O_TMPFILE)) {         \
    va_list values;                              \
    va_start(values, flags);                     \
    mode = va_arg(values, mode_t);               \
    va_end(values);                              \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
  MODE(flags, mode)
  return open_file(folder, path, flags, mode);
}

int close(int file) {
  if (file >= 0 && file < MOST_FILES) watched[file] = 0;
  return syscall(SYS_close, file);
}

ssize_t write(int file, const void *bytes, size_t length) {
  if (!is_watched(file)) return syscall(SYS_write, file, bytes, length);
  pthread_mutex_lock(&lock);
  if (operations == kill_at) syscall(SYS_write, file, bytes, length / 2);
  ssize_t written = -1;
  if (refused(1)) {
    fail();
  } else if (room >= 0 && (long)length > room) {
    no_room = 1;
    written = room ? syscall(SYS_write, file, bytes, room) : fail();
    room = 0;
  } else {
    written = syscall(SYS_write, file, bytes, length);
    if (room >= 0 && written > 0) room -= written;
  }
  int error = errno;
  if (written > 0 && log_file >= 0) {
    record("W %d %ld %zd\n", file, (long)lseek(file, 0, SEEK_CUR) - (long)written, written);
    syscall(SYS_write, log_file, bytes, written);
    record("\n");
  }
  pthread_mutex_unlock(&lock);
  errno = error;
  return written;
}

ssize_t writev(int file, const struct iovec *parts, int count) {
  if (!is_watched(file)) return syscall(SYS_writev, file, parts, count);
  for (int part = 0; part < count; part++)
    if (parts[part].iov_len) return write(file, parts[part].iov_base, parts[part].iov_len);
  return 0;
}

// An operation that needs no number but its own: counted, done, recorded.
#define OPERATION(here, needs_room, call, ...)    \
  pthread_mutex_lock(&lock);                      \
  int result = (here) && refused(needs_room) ? fail() : (int)(call); \
  int error = errno;                              \
  if (!result && (here)) record(__VA_ARGS__);     \
  pthread_mutex_unlock(&lock);                    \
  errno = error;                                  \
  return result;

// Copies within the kernel would not be seen: without them, programs read and write.
ssize_t copy_file_range(int from, off64_t *start, int to, off64_t *place, size_t length, unsigned flags) {
  (void)from, (void)start, (void)to, (void)place, (void)length, (void)flags;
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile64(int to, int from, off64_t *start, size_t length) {
  (void)to, (void)from, (void)start, (void)length;
  errno = ENOSYS;
  return -1;
}
ssize_t sendfile(int to, int from, off_t *start, size_t length) {
  return sendfile64(to, from, start, length);
}

int fsync(int file) {
  int here = is_watched(file);
  OPERATION(here, 0, syscall(SYS_fsync, file), "S %d\n", file)
}
int fdatasync(int file) {
  int here = is_watched(file);
  OPERATION(here, 0, syscall(SYS_fdatasync, file), "S %d\n", file)
}
int ftruncate64(int file, off64_t length) {
  int here = is_watched(file);
  OPERATION(here, 0, syscall(SYS_ftruncate, file, length), "T %d %ld\n", file, (long)length)
}
int ftruncate(int file, off_t length) { return ftruncate64(file, length); }
int mkdir(const char *path, mode_t mode) {
  char below[PATH_MAX];
  int here = inside(AT_FDCWD, path, below);
  OPERATION(here, 1, syscall(SYS_mkdirat, AT_FDCWD, path, mode), "M %s\n", below)
}
int rename(const char *from, const char *to) {
  char below[PATH_MAX], target[PATH_MAX];
  int here = inside(AT_FDCWD, from, below) && inside(AT_FDCWD, to, target);
  OPERATION(here, 0, syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0), "R %s\t%s\n", below, target)
}
int unlinkat(int folder, const char *path, int flags) {
  char below[PATH_MAX];
  int here = inside(folder, path, below);
  pthread_mutex_lock(&lock);
  if (here) refused(0); // only counted: a full disk refuses no removal
  int result = syscall(SYS_unlinkat, folder, path, flags), error = errno;
  if (!result && here) record("U %s\n", below);
  pthread_mutex_unlock(&lock);
  errno = error;
  return result;
}
int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }
