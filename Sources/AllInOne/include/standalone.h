/* Depending on this target is what links the archives into a release. */

/* What the build was told of itself, as text; empty where it was told nothing. */
const char *openmarket_revision(void);
const char *openmarket_swift(void);
const char *openmarket_libraries(void);

/* Has the pages of all variables made this process's own at once; call it before the first thread. A script writes to
   most of them, and one by one, with several threads whose processors have to be told of each, they took a tenth of its
   time. */
void openmarket_prepare_variables(void);
