/* Preloaded under the real program: records its operations on the files below one folder, in order and with the time, so
 * that the disk of any moment can be rebuilt; and, on request, makes writes and syncs fail.
 *
 * Each record: length (4), kind (1), time in ns (8), inode (8), offset (8), two texts or bytes with their lengths (4 each). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static char folder[4096];
static size_t folder_length;
static int trace = -1;
/* Shared with the harness: one in how many operations fails, 0 for none; and how many have failed. */
static volatile uint32_t *control;
static pthread_mutex_t order = PTHREAD_MUTEX_INITIALIZER;
static __thread uint64_t seed;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void begin(void) {
    const char *named = getenv("CHAOS_FOLDER"), *path = getenv("CHAOS_TRACE"), *shared = getenv("CHAOS_CONTROL");
    if (!named || !path) return;
    snprintf(folder, sizeof folder, "%s/", named);
    folder_length = strlen(folder);
    trace = REAL(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    int file = shared ? REAL(open)(shared, O_RDWR | O_CLOEXEC) : -1;
    void *mapped = file < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    control = mapped == MAP_FAILED ? NULL : mapped;
}

static int is_ours(const char *path) { return trace >= 0 && strncmp(path, folder, folder_length) == 0; }

/* The path behind a descriptor, if it is below the folder. SQLite's index of its log is rebuilt after a crash. */
static int path_of(int fd, char *path, size_t size) {
    char link[64];
    if (trace < 0 || fd == trace) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, path, size - 1);
    if (length < 0) return 0;
    path[length] = 0;
    if (length > 4 && strcmp(path + length - 4, "-shm") == 0) return 0;
    return is_ours(path) || (strncmp(path, folder, folder_length - 1) == 0 && path[folder_length - 1] == 0);
}

static void note(char kind, uint64_t inode, uint64_t offset, const void *a, uint32_t a_length, const void *b, uint32_t b_length) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t time = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    uint32_t length = 1 + 8 + 8 + 8 + 4 + a_length + 4 + b_length;
    char head[4 + 1 + 8 + 8 + 8 + 4];
    memcpy(head, &length, 4);
    head[4] = kind;
    memcpy(head + 5, &time, 8);
    memcpy(head + 13, &inode, 8);
    memcpy(head + 21, &offset, 8);
    memcpy(head + 29, &a_length, 4);
    struct iovec parts[4] = {{head, sizeof head}, {(void *)a, a_length}, {&b_length, 4}, {(void *)b, b_length}};
    if (REAL(writev)(trace, parts, 4) < 0) abort();
}

static uint64_t inode_of(int fd) {
    struct stat status;
    return fstat(fd, &status) == 0 ? (uint64_t)status.st_ino : 0;
}

/* Whether this operation is to fail, and how. */
static int fails(void) {
    uint32_t one_in = control ? control[0] : 0;
    if (!one_in) return 0;
    if (!seed) seed = (uint64_t)(uintptr_t)&seed ^ (uint64_t)getpid();
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    if ((seed >> 33) % one_in) return 0;
    __sync_fetch_and_add(&control[1], 1);
    errno = (seed >> 62) & 1 ? EIO : ENOSPC;
    return 1;
}

#define LOCKED(type, call, record)                                                                                               \
    char path[4096];                                                                                                             \
    if (!path_of(fd, path, sizeof path)) return call;                                                                            \
    if (fails()) return -1;                                                                                                      \
    pthread_mutex_lock(&order);                                                                                                  \
    type done = call;                                                                                                            \
    int error = errno;                                                                                                           \
    if (done >= 0) { record; }                                                                                                   \
    pthread_mutex_unlock(&order);                                                                                                \
    errno = error;                                                                                                               \
    return done;

static uint64_t position(int fd, ssize_t done) {
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at < done ? 0 : (uint64_t)(at - done);
}

ssize_t write(int fd, const void *bytes, size_t length) {
    LOCKED(ssize_t, REAL(write)(fd, bytes, length), note('w', inode_of(fd), position(fd, done), bytes, (uint32_t)done, path, strlen(path)))
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
    LOCKED(ssize_t, REAL(pwrite)(fd, bytes, length, at), note('w', inode_of(fd), (uint64_t)at, bytes, (uint32_t)done, path, strlen(path)))
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t at) {
    LOCKED(ssize_t, REAL(pwrite64)(fd, bytes, length, at), note('w', inode_of(fd), (uint64_t)at, bytes, (uint32_t)done, path, strlen(path)))
}
static void note_parts(int fd, const struct iovec *parts, int count, uint64_t at, ssize_t done, const char *path) {
    for (int part = 0; part < count && done > 0; part++) {
        ssize_t length = (ssize_t)parts[part].iov_len < done ? (ssize_t)parts[part].iov_len : done;
        note('w', inode_of(fd), at, parts[part].iov_base, (uint32_t)length, path, strlen(path));
        at += (uint64_t)length;
        done -= length;
    }
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
    LOCKED(ssize_t, REAL(writev)(fd, parts, count), note_parts(fd, parts, count, position(fd, done), done, path))
}
int ftruncate(int fd, off_t length) {
    LOCKED(int, REAL(ftruncate)(fd, length), note('t', inode_of(fd), (uint64_t)length, path, strlen(path), "", 0))
}
int ftruncate64(int fd, off64_t length) {
    LOCKED(int, REAL(ftruncate64)(fd, length), note('t', inode_of(fd), (uint64_t)length, path, strlen(path), "", 0))
}
int fsync(int fd) { LOCKED(int, REAL(fsync)(fd), note('s', inode_of(fd), 0, path, strlen(path), "", 0)) }
int fdatasync(int fd) { LOCKED(int, REAL(fdatasync)(fd), note('s', inode_of(fd), 0, path, strlen(path), "", 0)) }

/* Absolute, without links: the harness passes the folder so, and the program joins names to it. */
static const char *absolute(int at, const char *name, char *path, size_t size) {
    char base[4096];
    if (name[0] == '/') return name;
    if (at == AT_FDCWD ? !getcwd(base, sizeof base) : !path_of(at, base, sizeof base)) return name;
    snprintf(path, size, "%s/%s", base, name);
    return path;
}

static int opened(int fd, int at, const char *name, int flags) {
    char path[8192];
    int error = errno;
    if (fd >= 0 && trace >= 0 && (flags & (O_CREAT | O_TRUNC))) {
        const char *whole = absolute(at, name, path, sizeof path);
        size_t length = strlen(whole);
        if (is_ours(whole) && !(length > 4 && strcmp(whole + length - 4, "-shm") == 0)) {
            pthread_mutex_lock(&order);
            note(flags & O_TRUNC ? 'o' : 'c', inode_of(fd), 0, whole, (uint32_t)length, "", 0);
            pthread_mutex_unlock(&order);
        }
    }
    errno = error;
    return fd;
}

#define MODE                                                                                                                     \
    mode_t mode = 0;                                                                                                             \
    if (flags & (O_CREAT | O_TMPFILE)) {                                                                                         \
        va_list more;                                                                                                            \
        va_start(more, flags);                                                                                                   \
        mode = va_arg(more, mode_t);                                                                                             \
        va_end(more);                                                                                                            \
    }
int open(const char *name, int flags, ...) { MODE return opened(REAL(open)(name, flags, mode), AT_FDCWD, name, flags); }
int open64(const char *name, int flags, ...) { MODE return opened(REAL(open64)(name, flags, mode), AT_FDCWD, name, flags); }
int openat(int at, const char *name, int flags, ...) { MODE return opened(REAL(openat)(at, name, flags, mode), at, name, flags); }
int openat64(int at, const char *name, int flags, ...) { MODE return opened(REAL(openat64)(at, name, flags, mode), at, name, flags); }

static int moved(char kind, int done, int from_at, const char *from, int to_at, const char *to) {
    char first[8192], second[8192];
    int error = errno;
    if (done == 0 && trace >= 0) {
        const char *a = absolute(from_at, from, first, sizeof first), *b = absolute(to_at, to, second, sizeof second);
        if (is_ours(a) || is_ours(b)) {
            pthread_mutex_lock(&order);
            note(kind, 0, 0, a, strlen(a), b, strlen(b));
            pthread_mutex_unlock(&order);
        }
    }
    errno = error;
    return done;
}
int rename(const char *from, const char *to) { return moved('r', REAL(rename)(from, to), AT_FDCWD, from, AT_FDCWD, to); }
int renameat(int a, const char *from, int b, const char *to) { return moved('r', REAL(renameat)(a, from, b, to), a, from, b, to); }
int renameat2(int a, const char *from, int b, const char *to, unsigned flags) {
    return moved('r', REAL(renameat2)(a, from, b, to, flags), a, from, b, to);
}
int link(const char *from, const char *to) { return moved('l', REAL(link)(from, to), AT_FDCWD, from, AT_FDCWD, to); }
int linkat(int a, const char *from, int b, const char *to, int flags) {
    return moved('l', REAL(linkat)(a, from, b, to, flags), a, from, b, to);
}
int unlink(const char *name) { return moved('u', REAL(unlink)(name), AT_FDCWD, name, AT_FDCWD, ""); }
int unlinkat(int at, const char *name, int flags) { return moved('u', REAL(unlinkat)(at, name, flags), at, name, AT_FDCWD, ""); }
int rmdir(const char *name) { return moved('u', REAL(rmdir)(name), AT_FDCWD, name, AT_FDCWD, ""); }
int mkdir(const char *name, mode_t mode) { return moved('m', REAL(mkdir)(name, mode), AT_FDCWD, name, AT_FDCWD, ""); }
int mkdirat(int at, const char *name, mode_t mode) { return moved('m', REAL(mkdirat)(at, name, mode), at, name, AT_FDCWD, ""); }
