import Foundation
import Text

/// Reading and writing whole files: never through a link planted by others, never half written.
package enum Files {
  /// Reads a regular file of at most `limit` bytes without ever waiting on a FIFO; nil when there is none.
  ///
  /// - Throws: `FileError`: `.cannotRead`, `.notAFile`, `.tooLarge`, and `.tooOpen` for a secret that others can read.
  package static func read(_ path: String, limit: Int = 16 << 20, secret: Bool = false) throws(FileError) -> Data? {
    guard let (file, status) = try opened(path) else { return nil }
    defer { close(file) }
    if secret, status.st_mode & 0o077 != 0 {
      throw .tooOpen(path: path, mode: "0" + String(status.st_mode & 0o777, radix: 8))
    }
    // A file may grow while it is read, so that its size alone is not enough.
    if status.st_size > limit { throw .tooLarge(path: path, limit: limit) }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(path: path, errno: errno)
      }
      bytes.append(contentsOf: buffer[..<count])
      if bytes.count > limit { throw .tooLarge(path: path, limit: limit) }
    }
  }

  /// The bytes before the first line end, without reading on; nil where there is no file, or no line end among about
  /// `limit` bytes.
  ///
  /// - Throws: `FileError.cannotRead`, and for what is no regular file.
  package static func firstLine(_ path: String, limit: Int) throws(FileError) -> Data? {
    guard let (file, _) = try opened(path) else { return nil }
    defer { close(file) }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < limit {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(path: path, errno: errno)
      }
      let new = buffer[..<count]
      if let end = new.firstIndex(of: UInt8(ascii: "\n")) { return bytes + new[..<end] }
      if count == 0 { return nil }
      bytes.append(contentsOf: new)
    }
    return nil
  }

  /// A file to be read, and what it is; nil where there is none.
  private static func opened(_ path: String) throws(FileError) -> (Int32, stat)? {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .cannotRead(path: path, errno: errno)
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw .notAFile(path: path)
    }
    return (file, status)
  }

  /// The file as text.
  ///
  /// - Throws: `FileError`; `.notText` where it is no UTF-8.
  package static func text(_ path: String, limit: Int = 16 << 20, secret: Bool = false) throws(FileError) -> String? {
    guard let data = try read(path, limit: limit, secret: secret) else { return nil }
    guard let text = String(validating: data, as: UTF8.self) else { throw .notText(path: path) }
    return text
  }

  /// Writes the file whole or not at all: a new one beside it, flushed to disk, then renamed over it.
  ///
  /// - Throws: `FileError.cannotWrite`; the file that was there is then as it was.
  package static func write(_ data: Data, to path: String, mode: mode_t? = nil) throws(FileError) {
    let draft = try FileDraft(at: path, mode: mode)
    try draft.append(data)
    try draft.commit()
  }

  /// Keeps every other shell from changing what is kept beside `path` between its reading and its writing.
  ///
  /// - Throws: what the body throws, and `FileError.cannotWrite` where the folder cannot be locked.
  package static func alone<Value>(at path: String, _ body: () throws(FileError) -> Value) throws(FileError) -> Value {
    let folder = Paths.parent(of: path)
    try makeFolder(folder)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// Makes a folder of ours, and those above it, for this user alone.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package static func makeFolder(_ path: String) throws(FileError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .cannotWrite(path: path, errno: ENOTDIR) }
      return
    }
    let parent = Paths.parent(of: path)
    if !parent.isEmpty, parent != path { try makeFolder(parent) }
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .cannotWrite(path: path, errno: errno) }
  }
}

/// Reads a file that must stay as it is meanwhile: one that grows, shrinks or is written to is refused, not half understood.
package enum SteadyFile {
  /// - Parameter limit: bytes; a longer file is refused.
  /// - Throws: as `data`; `FileError.notText` for what is not UTF-8.
  package static func text(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> String {
    let bytes = try data(path, limit: limit, whileReading: whileReading)
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText(path: path) }
    return text
  }

  /// - Parameter limit: bytes; a longer file is refused.
  /// - Throws: `FileError.changed` for a file that was written to meanwhile; `.cannotRead` also where there is none.
  package static func data(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> Data {
    let before = try state(path)
    guard let bytes = try Files.read(path, limit: limit) else { throw .cannotRead(path: path, errno: ENOENT) }
    whileReading()
    guard try state(path) == before, before.size == bytes.count else { throw .changed(path: path) }
    return bytes
  }

  private struct State: Equatable {
    var file: UInt64
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private static func state(_ path: String) throws(FileError) -> State {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    return State(
      file: UInt64(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }
}

/// Whole writes to a file descriptor, and who else may have one.
package enum Descriptor {
  /// No program that is started gets more than the three standard ones: the libraries open their sockets without saying so.
  static func keepToOurselves() {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? [] {
      if let number = Int32(name), number > STDERR_FILENO { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
    }
  }

  /// Writes all of `text`, however often the system takes only a part.
  ///
  /// - Throws: `OutputError`.
  package static func write(_ text: String, to descriptor: Int32, path: String? = nil) throws(OutputError) {
    try write(Array(text.utf8), to: descriptor, path: path)
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: `OutputError`.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, path: String? = nil) throws(OutputError) {
    var done = 0
    while done < bytes.count {
      let (count, code) = bytes[done...].withUnsafeBytes { buffer in
        let count = Foundation.write(descriptor, buffer.baseAddress, buffer.count)
        return (count, count < 0 ? errno : 0)
      }
      if count > 0 {
        done += count
      } else if code == EINTR {
        continue
      } else if code == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if code == EPIPE {
        throw .closed
      } else {
        throw .failed(path: path, errno: code)
      }
    }
  }
}

/// What went wrong with a file of ours or of the user's.
package enum FileError: Error, Hashable, Sendable {
  case cannotRead(path: String, errno: Int32)
  case cannotWrite(path: String, errno: Int32)
  case notAFile(path: String)
  case notText(path: String)
  case tooLarge(path: String, limit: Int)
  /// Somebody wrote to it while it was read.
  case changed(path: String)
  /// A file with secrets that others can read, as libpq refuses it.
  case tooOpen(path: String, mode: String)
  /// A settings file that cannot be understood.
  case malformed(path: String, reason: String)
  /// The same, and the line it is about, from 1; the words quote nothing of the file.
  case badLine(path: String, line: Int, reason: LocalizedText)
  /// A file of certificates without one.
  case noCertificate(path: String)
}

/// Why data could not be written to standard output or a file.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader went away: `| head`.
  case closed
  case failed(path: String?, errno: Int32)
}

/// What the system says against something, an `errno`.
struct ErrorNumber: Error, Hashable {
  var code: Int32
}
