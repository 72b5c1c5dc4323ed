/// The error for a request whose connection was closed before its body was complete.
struct IncompleteRequest: Error {}
