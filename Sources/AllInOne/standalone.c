#define _GNU_SOURCE
#include "standalone.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

/* Puts the libraries into the release program instead of beside it: a third of its start was the loading of shared
   ones, and a machine that lacks them runs it too. Where the linker finds an archive first, it takes that. Settings of
   the package come too late for that on the linker's command line; what Swift's objects name in this section
   (lib/DriverTool/autolink_extract_main.cpp in Swift's sources) comes before the shared libraries. */
#ifdef STANDALONE
__attribute__((section(".swift1_autolink_entries"), used)) static const char libraries[] =
    "-Wl,--as-needed\0"
    "-l:libedit.a\0-l:libbsd.a\0-l:libmd.a\0-l:libtinfo.a\0"
    "-l:libsqlite3.a\0-l:libpng16.a\0-l:libturbojpeg.a\0-l:libz.a\0-l:libstdc++.a";
#endif

const char *openmarket_revision(void) { return OPENMARKET_REVISION; }
const char *openmarket_swift(void) { return OPENMARKET_SWIFT; }
const char *openmarket_libraries(void) { return OPENMARKET_LIBRARIES; }

/* Where variables lie: those with a value from `data_start` to the table that C's own start puts behind them, those that
   begin as zero from `__bss_start` to `_end`. */
extern char data_start, __bss_start, _end;
extern char __TMC_END__ __attribute__((visibility("hidden")));

static void prepare(const char *from, const char *to) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), most = 4 << 20;
  uintptr_t first = (uintptr_t)from & ~(page - 1), last = ((uintptr_t)to + page - 1) & ~(page - 1);
  /* A kernel before 5.14 refuses, and makes them one by one as ever; so it is where a linker lays them out otherwise. */
  if (first < last && last - first < most) (void)madvise((void *)first, last - first, MADV_POPULATE_WRITE);
}

void openmarket_prepare_variables(void) {
#ifdef STANDALONE
  prepare(&data_start, &__TMC_END__);
  prepare(&__bss_start, &_end);
#endif
}
