#include "standalone.h"

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
