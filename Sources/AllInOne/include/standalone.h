/* A dependency on this target links the archives into a release. */

/* Information about the build as text; empty if it was not provided. */
const char *openmarket_revision(void);
const char *openmarket_swift(void);
const char *openmarket_libraries(void);
