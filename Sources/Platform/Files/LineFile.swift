import Foundation

/// An open file of lines that is not held in memory: its lines are read once, and again by their place.
///
/// A file that replaces it, or lines that are appended, do not change the places.
package final class LineFile: Sendable {
  /// The place of a line without its newline, in bytes.
  package struct Extent: Hashable, Sendable {
    package var offset: Int
    package var count: Int

    package init(offset: Int, count: Int) {
      self.offset = offset
      self.count = count
    }
  }

  private static let chunk = 1 << 20
  /// The maximum length of a line in bytes, which is held in memory.
  package static let maximumLine = 16 << 20

  private let path: String
  private let descriptor: Int32

  /// Opens a regular file, or returns `nil` if it does not exist.
  ///
  /// - Throws: `FileError`; `.tooLarge` above `limit` bytes.
  package init?(_ file: ConfinedPath, limit: Int) throws(FileError) {
    guard let (descriptor, status) = try file.openRegularFile() else { return nil }
    (path, self.descriptor) = (file.shown, descriptor)
    if status.st_size > limit { throw .tooLarge(path: path, limit: limit) }
  }

  deinit { close(descriptor) }

  /// Calls a closure with each line that ends with a newline, and with the rest after the last one.
  ///
  /// - Throws: `FileError.cannotRead`, with `EINTR` if the task is cancelled; `.tooLarge` for a line above `maximumLine` bytes.
  package func forEachLine(
    maximumLine: Int = LineFile.maximumLine, _ body: (Data, Extent) -> Void
  ) throws(FileError) {
    var offset = 0
    var pending = Data()
    while true {
      let bytes = try self.bytes(Extent(offset: offset + pending.count, count: LineFile.chunk))
      if bytes.isEmpty { break }
      // What was pending has no end of a line.
      var searched = pending.count
      pending.append(bytes)
      var start = pending.startIndex
      while let end = pending[(pending.startIndex + searched)...].firstIndex(of: UInt8(ascii: "\n")) {
        if Task.isCancelled { throw .cannotRead(path: path, errno: EINTR) }
        body(pending[start..<end], Extent(offset: offset + start - pending.startIndex, count: end - start))
        start = end + 1
        searched = start - pending.startIndex
      }
      if pending.endIndex - start > maximumLine { throw .tooLarge(path: path, limit: maximumLine) }
      offset += start - pending.startIndex
      pending = Data(pending[start...])
    }
    if !pending.isEmpty { body(pending, Extent(offset: offset, count: pending.count)) }
  }

  /// Returns the bytes at a place, fewer at the end of the file.
  ///
  /// - Throws: `FileError.cannotRead`.
  package func bytes(_ extent: Extent) throws(FileError) -> Data {
    var bytes = Data(count: extent.count)
    var filled = 0
    while filled < extent.count {
      let read = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + filled }, extent.count - filled, off_t(extent.offset + filled))
      }
      if read < 0, errno == EINTR { continue }
      guard read >= 0 else { throw .cannotRead(path: path, errno: errno) }
      if read == 0 { break }
      filled += read
    }
    return bytes.prefix(filled)
  }
}
