import Foundation
import Text

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
