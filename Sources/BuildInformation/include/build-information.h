/* What `openmarket --version` says about the build; empty where the manifest was not told. */
const char *openmarket_revision(void);
const char *openmarket_swift(void);
const char *openmarket_libraries(void);
