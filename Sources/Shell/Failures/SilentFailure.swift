/// A failure about which everything has been said in the report itself.
struct SilentFailure: Error {
  let code: ExitStatus
}
