/// The error for a write that isn't sent because the user or the batch has stopped.
struct CancelledByBatch: Error {}
