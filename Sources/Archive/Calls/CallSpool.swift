import Foundation

/// Calls on their way into the archive, one behind the other in a file that is only appended to: whoever made them waits
/// for no transaction, and whoever asks about calls takes them in first.
///
/// The file begins with a head of 16 bytes: `omcalls`, the version of the format, and eight bytes by chance that tell this
/// filling from the one before. Each call follows as four bytes that no JSON holds, its length and its CRC-32 (four bytes
/// each, the lowest first), its numbers, its texts and its content. Several shells append at once, each under the file's
/// lock; of one that was killed meanwhile half a call stays, which is passed over.
struct CallSpool: Sendable {
  /// Raised with any change that an older program could misread.
  static let version: UInt8 = 1

  private static let name = Array("omcalls".utf8)
  private static let headSize = 16
  /// Milliseconds that another shell's lock is waited for, and between two tries.
  private static let (patience, pause) = (500, 2)

  private let path: String

  init(at path: String) { self.path = path }

  /// Bytes that wait.
  var size: Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Appends them all, or none.
  ///
  /// - Throws: `ArchiveFailure`.
  func append(_ calls: [(call: StoredCall, content: Data)]) throws(ArchiveFailure) {
    let file = try opened(O_RDWR | O_APPEND | O_CREAT)
    defer { close(file) }
    let size = try locked(file)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(calls.reduce(CallSpool.headSize) { $0 + $1.content.count + 512 })
    if size < CallSpool.headSize {
      ftruncate(file, 0)
      bytes += CallSpool.name + [CallSpool.version]
      bytes.add(UInt64.random(in: .min ... .max))
    } else {
      _ = try filling(of: file)
    }
    for (call, content) in calls { bytes.addFrame(call, content) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = errno
        // None of them is kept; half a call is of no use to anybody.
        ftruncate(file, off_t(size))
        throw failure(reason)
      }
      done += count
    }
  }

  /// Hands out what waits, while no other shell appends or takes; when `take` comes back the file is empty.
  ///
  /// - Throws: `ArchiveFailure`, of `take` too; everything waits on then.
  func drain(_ take: (inout CallReader) throws(ArchiveFailure) -> Void) throws(ArchiveFailure) {
    guard size > 0 else { return }
    let file = try opened(O_RDWR)
    defer { close(file) }
    let size = try locked(file)
    if size > CallSpool.headSize {
      var reader = CallReader(file: file, size: size, filling: try filling(of: file), place: CallSpool.headSize)
      try take(&reader)
    }
    ftruncate(file, 0)
  }

  private func opened(_ flags: Int32) throws(ArchiveFailure) -> Int32 {
    let file = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw failure(errno) }
    return file
  }

  /// Its size, from here on this shell's alone to change.
  private func locked(_ file: Int32) throws(ArchiveFailure) -> Int {
    var tries = CallSpool.patience / CallSpool.pause
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(errno) }
      guard tries > 0 else { throw .busy }
      tries -= 1
      usleep(UInt32(CallSpool.pause * 1000))
    }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw failure(errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw failure(EINVAL) }
    return Int(facts.st_size)
  }

  /// What tells this filling of the file from others.
  private func filling(of file: Int32) throws(ArchiveFailure) -> Data {
    var head = [UInt8](repeating: 0, count: CallSpool.headSize)
    let count = head.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    let name = CallSpool.name
    guard count == head.count, head.starts(with: name) else { throw .damaged(path: path) }
    guard head[name.count] <= CallSpool.version else { throw .newer(path: path, version: Int(head[name.count])) }
    return Data(head[(name.count + 1)...])
  }

  private func failure(_ code: Int32) -> ArchiveFailure {
    code == ENOSPC || code == EDQUOT || code == EFBIG
      ? .diskFull : .unreachable(path: path, reason: String(cString: strerror(code)))
  }
}
