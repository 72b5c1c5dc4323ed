/// The time limits for a request without progress.
///
/// The total time is not limited: the upload of a picture over a slow connection takes as long as it needs.
package struct Timeouts: Hashable, Sendable {
  /// The limit for establishing the connection, including TLS.
  package var connect: Duration
  /// The limit during the upload without a byte that the peer acknowledged or the system accepted.
  package var upload: Duration
  /// The limit for the first byte of the response to a write, after the last byte of the request was handed over.
  ///
  /// `minimumBytesPerSecond` is added.
  package var firstByte: Duration
  /// The lowest throughput to expect, in bytes per second.
  ///
  /// A device on the path may accept the body at once and deliver it at this rate, so the wait is extended by the time
  /// that the body takes then.
  package var minimumBytesPerSecond: Int
  /// The limit for a read without a byte of its response.
  ///
  /// It also applies to the rest of a response to a write.
  package var idle: Duration
  /// The profile's `timeout`: the limit for reads, and the minimum for the response to a write.
  package var timeout: Duration?

  package init(
    connect: Duration = .seconds(10), upload: Duration = .seconds(60), firstByte: Duration = .seconds(60),
    minimumBytesPerSecond: Int = 8_000, idle: Duration = .seconds(30), timeout: Duration? = nil
  ) {
    self.connect = connect
    self.upload = upload
    self.firstByte = firstByte
    self.minimumBytesPerSecond = minimumBytesPerSecond
    self.idle = idle
    self.timeout = timeout
  }

  /// Returns the time limit for the first byte of a response to a request whose body has `size` bytes.
  package func wait(forAnswerTo method: RequestMethod, ofSize size: Int) -> Duration {
    if method.isSafe { return silenceOfReads }
    let usual = firstByte + .seconds(1) * size / max(1, minimumBytesPerSecond)
    return max(usual, timeout ?? .zero)
  }

  /// Returns the time limit for the next byte of a response that has begun.
  package func wait(forMoreOf method: RequestMethod) -> Duration {
    method.isSafe ? silenceOfReads : max(idle, timeout ?? .zero)
  }

  private var silenceOfReads: Duration { timeout ?? idle }
}
