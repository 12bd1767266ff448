/* Preloaded under the real program and OpenSSL: adds an offset to the clock of the day, which another process moves. The
 * times of files move too, so that a new file is as young as it seems. The monotonic clock stays as it is. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* In seconds, shared with the process that moves it. */
static const volatile int64_t *offset;
static int (*real_clock_gettime)(clockid_t, struct timespec *);

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("YEAR_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *mapped = mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) offset = mapped;
    close(file);
}

static time_t moved(void) { return offset ? (time_t)*offset : 0; }

int clock_gettime(clockid_t id, struct timespec *now) {
    if (!real_clock_gettime) real_clock_gettime = REAL(clock_gettime);
    int done = real_clock_gettime(id, now);
    if (done == 0 && (id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE)) now->tv_sec += moved();
    return done;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
    (void)zone;
    struct timespec precise;
    int done = clock_gettime(CLOCK_REALTIME, &precise);
    if (done == 0) {
        now->tv_sec = precise.tv_sec;
        now->tv_usec = precise.tv_nsec / 1000;
    }
    return done;
}

time_t time(time_t *where) {
    struct timespec precise = {0};
    clock_gettime(CLOCK_REALTIME, &precise);
    if (where) *where = precise.tv_sec;
    return precise.tv_sec;
}

int statx(int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict found) {
    int done = REAL(statx)(folder, path, flags, mask, found);
    if (done == 0) found->stx_mtime.tv_sec += moved();
    return done;
}
