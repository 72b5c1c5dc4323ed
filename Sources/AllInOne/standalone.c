#include "standalone.h"

/* Links the libraries of a release statically: it starts faster, and runs on machines without them. The linker uses an
   archive if it finds that before the shared library. Linker settings of the package come too late on the command line;
   the entries of this section (lib/DriverTool/autolink_extract_main.cpp in Swift's sources) come first. */
#ifdef STANDALONE
__attribute__((section(".swift1_autolink_entries"), used)) static const char libraries[] =
    "-Wl,--as-needed\0"
    "-l:libedit.a\0-l:libbsd.a\0-l:libmd.a\0-l:libtinfo.a\0"
    "-l:libsqlite3.a\0-l:libpng16.a\0-l:libturbojpeg.a\0-l:libz.a\0-l:libstdc++.a";
#endif

const char *openmarket_revision(void) { return OPENMARKET_REVISION; }
const char *openmarket_swift(void) { return OPENMARKET_SWIFT; }
const char *openmarket_libraries(void) { return OPENMARKET_LIBRARIES; }
