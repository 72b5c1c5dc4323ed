import NIOCore

/// Limits for a connection: time, memory and number.
struct ServerLimits: Sendable {
  /// The time from opening a connection to its first byte.
  var firstByteTime = TimeAmount.seconds(5)
  /// The time from the first byte of a connection to the end of its first head.
  var headerTimeout = TimeAmount.seconds(10)
  /// The time from the end of a head to the end of the response.
  ///
  /// It restarts after every `timeoutResetBytes` of the body.
  var requestTime = TimeAmount.seconds(60)
  /// The number of body bytes that take one `requestTime` at the slowest supported rate, about 1 kB/s.
  var timeoutResetBytes = 64 * 1024
  /// The time between a response and the end of the next head.
  var idleTimeout = TimeAmount.seconds(60)
  var connections = 128
  /// The number above which the connection of the address that has waited longest for a head is closed.
  var connectionsPerAddress = 48
  /// The time for which a waiting connection is not closed in favour of others, because its request may be on the way.
  var graceTime = TimeAmount.seconds(1)
  /// The time without progress after which a body may be given up in favour of other connections.
  var stalledBodyTime = TimeAmount.seconds(5)
  var headBytes = 16 * 1024
  var headFields = 100
  var pathBytes = 8 * 1024
  /// The maximum size of a body.
  ///
  /// Five pictures of 300 KB and their text are much smaller.
  var bodyBytes = 10 * 1024 * 1024
  /// The number of bytes that are read and discarded beyond that, before the connection is closed.
  var maximumDrainedBytes = 64 * 1024 * 1024
}
