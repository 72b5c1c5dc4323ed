import Glibc

/// Reads lines from a pipe or a file, validating each, in time linear in the input.
package struct LineReader: Sequence, IteratorProtocol {
  /// The error for a failed read; `code` is the `errno`.
  package struct Failure: Error, Equatable {
    package var code: Int32
  }

  private let descriptor: Int32
  private var chunk: [UInt8] = []
  private var position = 0
  private var isFirst = true
  private var hasEnded = false

  package init(_ descriptor: Int32 = STDIN_FILENO) {
    self.descriptor = descriptor
  }

  /// Returns the next line, or `nil` at the end of the input.
  ///
  /// If reading fails, the last element is ``Input/unreadable(_:)``.
  package mutating func next() -> Input? {
    if hasEnded { return nil }
    do {
      let input = try read()
      return input == .endOfFile ? nil : input
    } catch {
      hasEnded = true
      return .unreadable(error.code)
    }
  }

  /// Reads the next line; returns ``Input/end`` if there is none.
  ///
  /// A line ends with LF or CR LF, the last one also with the input.
  ///
  /// - Throws: ``CommandError`` if the input cannot be read.
  package mutating func read() throws(Failure) -> Input {
    var line: [UInt8] = []
    var isTooLong = false
    while true {
      if position == chunk.count, try !fill() {
        hasEnded = true
        if line.isEmpty && !isTooLong { return .endOfFile }
        return result(&line, isTooLong)
      }
      let rest = chunk[position...]
      let end = rest.firstIndex(of: UInt8(ascii: "\n"))
      let part = rest[..<(end ?? rest.endIndex)]
      // One byte beyond the limit is stored, for the CR that may end the line.
      if line.count + part.count <= LineLimit.bytes + 1 { line += part } else { isTooLong = true }
      position = end.map { $0 + 1 } ?? chunk.count
      if end != nil { return result(&line, isTooLong) }
    }
  }

  private mutating func result(_ line: inout [UInt8], _ isTooLong: Bool) -> Input {
    if isFirst, line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    isFirst = false
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if isTooLong || line.count > LineLimit.bytes { return .tooLong }
    guard !line.contains(0), let text = String(validating: line, as: UTF8.self) else { return .invalidUTF8 }
    return .line(text)
  }

  private mutating func fill() throws(Failure) -> Bool {
    if hasEnded { return false }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&waiting, 1, -1)
        continue
      }
      if count < 0 { throw Failure(code: errno) }
      bytes.removeSubrange(count...)
      (chunk, position) = (bytes, 0)
      return count > 0
    }
  }
}
