import Foundation

/// The lines of a descriptor, which a thread of its own reads until the end of input.
package enum DescriptorLines {
  /// Returns the lines as they arrive.
  ///
  /// The stream ends at the end of input and after an error, which is reported to `atEnd` at once, even if earlier lines are
  /// still being handled.
  package static func stream(
    of descriptor: Int32, atEnd: @escaping @Sendable () -> Void = {}
  ) -> AsyncStream<LineSplitter.Line> {
    AsyncStream { continuation in
      Thread.detachNewThread {
        var splitter = LineSplitter()
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
          let count = read(descriptor, &buffer, buffer.count)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { break }
          for line in splitter.add(buffer[..<count]) { continuation.yield(line) }
        }
        atEnd()
        for line in splitter.finish() { continuation.yield(line) }
        continuation.finish()
      }
    }
  }
}
