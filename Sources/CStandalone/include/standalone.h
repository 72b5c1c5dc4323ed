/* Depending on this target is what links the archives into a release. */

/* What the build was told of itself, as text; empty where it was told nothing. */
const char *openmarket_revision(void);
const char *openmarket_swift(void);
const char *openmarket_libraries(void);

/* Has the pages of all variables that begin as zero made at once. A script touches most of them, and one by one, with
   several threads that have to be told of each, they took a twentieth of its time. */
void openmarket_prepare_variables(void);
