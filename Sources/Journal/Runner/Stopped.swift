/// Nothing more is to be sent: the user, or the batch, has stopped.
struct Stopped: Error {}
