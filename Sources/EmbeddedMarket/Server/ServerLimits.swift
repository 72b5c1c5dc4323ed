import NIOCore

/// How much one connection may take: of time, of memory, of places.
struct ServerLimits: Sendable {
  /// From the opening of a connection to the end of its first head.
  var headTime = TimeAmount.seconds(10)
  /// From the end of a head to the end of the answer, body and all.
  var requestTime = TimeAmount.seconds(60)
  /// Between an answer and the end of the next head.
  var idleTime = TimeAmount.seconds(60)
  var connections = 128
  var headBytes = 16 * 1024
  var headFields = 100
  var pathBytes = 8 * 1024
  /// Five pictures of 300 KB and their text fit many times.
  var bodyBytes = 10 * 1024 * 1024
  /// What is read past that, unkept, before the connection is cut.
  var drainedBytes = 64 * 1024 * 1024
}
