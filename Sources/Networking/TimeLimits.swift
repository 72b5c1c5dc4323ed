/// How long a request may make no progress before it is given up. There is no limit on the whole: a picture that goes
/// up a slow line takes the time it takes.
package struct TimeLimits: Hashable, Sendable {
  /// Until the connection stands, TLS included.
  package var connect: Duration
  /// While a body goes up: without a byte that the other side acknowledged or the system took.
  package var upload: Duration
  /// For the first byte of the answer to a write, after its last byte was handed over; `slowestLine` is added.
  package var answer: Duration
  /// Bytes a second. What lies between may take everything at once and deliver it as slowly as this, so the size of the
  /// body at this rate is waited for as well.
  package var slowestLine: Int
  /// For a read: without a byte of its answer. An answer that has begun to come is held to this too, be it to a read or
  /// to a write.
  package var silence: Duration
  /// The profile's `timeout`: the patience for a read, and the least for the answer to a write.
  package var timeout: Duration?

  package init(
    connect: Duration = .seconds(10), upload: Duration = .seconds(60), answer: Duration = .seconds(60),
    slowestLine: Int = 8_000, silence: Duration = .seconds(30), timeout: Duration? = nil
  ) {
    self.connect = connect
    self.upload = upload
    self.answer = answer
    self.slowestLine = slowestLine
    self.silence = silence
    self.timeout = timeout
  }

  /// How long the first byte of an answer is waited for.
  ///
  /// - Parameter size: of the request's body, in bytes.
  package func wait(forAnswerTo method: Method, ofSize size: Int) -> Duration {
    if method.isRead { return silenceOfReads }
    let usual = answer + .seconds(1) * size / max(1, slowestLine)
    return max(usual, timeout ?? .zero)
  }

  /// How long the next byte of an answer is waited for that has begun to come.
  package func wait(forMoreOf method: Method) -> Duration {
    method.isRead ? silenceOfReads : max(silence, timeout ?? .zero)
  }

  private var silenceOfReads: Duration { timeout ?? silence }
}
