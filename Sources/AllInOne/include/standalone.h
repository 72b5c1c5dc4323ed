/* Depending on this target is what links the archives into a release. */

/* What the build was told of itself, as text; empty where it was told nothing. */
const char *openmarket_revision(void);
const char *openmarket_swift(void);
const char *openmarket_libraries(void);
