/* Depending on this target is what links the archives into a release. */

/* What the build was told of itself, as text; empty where it was told nothing. */
const char *openmarket_revision(void);
const char *openmarket_swift(void);
const char *openmarket_libraries(void);

/* Long blocks go back to the system when they are freed: without this one that was freed raises the length from which
   blocks count as long, and what a batch of a hundred thousand has used stays with the process in pieces. */
void openmarket_return_long_blocks(void);
