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

/// The end of a client, as a server sees it on the descriptor that it writes to.
package enum OutputHangup {
  /// Calls `body` on a thread of its own when nothing can read from the other end any more.
  ///
  /// A write would fail then, but a server that only waits for requests never writes. A descriptor of a regular file or
  /// of `/dev/null` has no other end, so `body` is not called.
  package static func watch(_ descriptor: Int32, _ body: @escaping @Sendable () -> Void) {
    Thread.detachNewThread {
      // Errors and hang-ups are reported without being asked for.
      var output = pollfd(fd: descriptor, events: 0, revents: 0)
      while poll(&output, 1, -1) < 0, errno == EINTR {}
      if output.revents != 0 { body() }
    }
  }
}

/// The lines of a stream of bytes, of which one that is too long is reported and skipped.
package struct LineSplitter: Sendable {
  package enum Line: Hashable, Sendable {
    case text(Data)
    case tooLong
  }

  /// The maximum length of a line in bytes.
  package static let maximumLength = 1 << 20

  private var rest = Data()
  private var isSkipping = false

  package init() {}

  /// Returns the lines that are complete with these bytes, without newlines and without empty lines.
  package mutating func add(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if isSkipping { lines.append(.tooLong) } else if !rest.allSatisfy(Self.isSpace) { lines.append(.text(rest)) }
        (rest, isSkipping) = (Data(), false)
      } else if !isSkipping {
        rest.append(byte)
        if rest.count > LineSplitter.maximumLength { (rest, isSkipping) = (Data(), true) }
      }
    }
    return lines
  }

  /// Returns what follows the last newline, at the end of input.
  package mutating func finish() -> [Line] { add([UInt8(ascii: "\n")]) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
