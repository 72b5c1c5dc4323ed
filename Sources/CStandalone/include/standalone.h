/* Nothing is called: depending on this target is what links the archives. */
