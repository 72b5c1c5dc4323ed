/// The handling of a request other than GET by the proxy.
enum Fate: Sendable {
  /// The end of the client's connection.
  enum End: CaseIterable, Sendable {
    case fin
    case reset
    /// Silence for a time, then RST.
    case stall
  }

  case pass
  /// Only this share of the request's bytes (in thousandths) reaches the server.
  case cutRequest(Int, End)
  /// The server responds, and only this share of the response's bytes (in thousandths) reaches the client.
  case cutAnswer(Int, End)
  /// The client's connection ends first, and the server receives the request later.
  case late(milliseconds: Int, End)
  /// The client's connection ends first, and the server receives the request when the test opens the turnstile.
  case held(Turnstile, End)
  /// The server receives the request twice, as from a client that blindly retries, and the client gets one response.
  case twice
  /// Called when the server has responded, before the client gets the response.
  case answered(@Sendable () -> Void)
  /// Called when the client has the response.
  case delivered(@Sendable () -> Void)
}
