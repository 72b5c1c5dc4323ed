/// What becomes of one request that is no GET on its way through the proxy.
enum Fate: Sendable {
  /// How the client's connection ends.
  enum End: CaseIterable, Sendable {
    case fin
    case reset
    /// Silence for a while, then RST.
    case stall
  }

  case pass
  /// Only this share of the request's bytes (in thousandths) reaches the server.
  case cutRequest(Int, End)
  /// The server answers; only this share of the answer's bytes (in thousandths) reaches the client.
  case cutAnswer(Int, End)
  /// The client is cut off first, the server gets the request later.
  case late(milliseconds: Int, End)
  /// The client is cut off first, the server gets the request when the test opens the turnstile.
  case held(Turnstile, End)
  /// The server gets it twice, as from a client that sends again blindly; the client hears of one.
  case twice
  /// Called when the server has answered, before the client gets the answer.
  case answered(@Sendable () -> Void)
  /// Called when the client has the answer.
  case delivered(@Sendable () -> Void)
}
