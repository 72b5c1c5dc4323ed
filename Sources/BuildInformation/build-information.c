#include "build-information.h"

const char *openmarket_revision(void) { return OPENMARKET_REVISION; }
const char *openmarket_swift(void) { return OPENMARKET_SWIFT; }
const char *openmarket_libraries(void) { return OPENMARKET_LIBRARIES; }
