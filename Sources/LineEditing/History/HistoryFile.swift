import Glibc
import Text

/// The file that stores the lines of all sessions, one entry per line.
///
/// In an entry a newline is written as `\n`, a backslash as `\\`, and any other control character as `\x` and two
/// hexadecimal digits. It is followed by ` \@` and the time it was run in milliseconds since 1970. Its exit status is a
/// separate line: `\!`, the status, and the same time. Files without these are read too.
///
/// Several shells may append at the same time, each entry in one write under a lock (`flock`). When the file is too
/// long, or lines are removed, a new file replaces it under that lock; a shell that was waiting for the lock of the old
/// file opens the new one.
struct HistoryFile {
  let path: String
  /// The maximum number of bytes read, from the end of the file.
  static let readLimit = 16 << 20

  struct Failure: Error {
    var reason: HistoryError
  }

  /// Checks that the file can be used.
  ///
  /// A file that does not exist yet can.
  func check() throws(Failure) {
    do {
      close(try open(O_RDONLY))
    } catch {
      if error.reason != .failed(code: ENOENT) || !isFolderThere { throw error }
    }
  }

  private var isFolderThere: Bool {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    return access(folder.isEmpty ? "/" : folder, F_OK) == 0
  }

  /// Returns the entries, oldest first, and the number of invalid lines.
  func load() throws(Failure) -> (entries: [(text: String, record: HistoryRecord)], skipped: Int) {
    let file: Int32
    do {
      file = try open(O_RDONLY)
    } catch {
      if error.reason == .failed(code: ENOENT) { return ([], 0) }
      throw error
    }
    defer { close(file) }
    var reader = HistoryReader()
    try readLines(of: file) { reader.take($0) }
    return (reader.entries, reader.skipped.count)
  }

  /// Passes the lines at the end of the file to `take`.
  private func readLines(of file: Int32, _ take: (UnsafeBufferPointer<UInt8>) -> Void) throws(Failure) {
    let size = Int(lseek(file, 0, SEEK_END))
    let start = max(0, size - Self.readLimit)
    lseek(file, off_t(start), SEEK_SET)
    let bytes = try contents(of: file, upTo: size - start)
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return }
      // The first line of a part of the file is incomplete.
      var index =
        start > 0
        ? (memchr(base, 0x0A, buffer.count).map { UnsafeRawPointer(base).distance(to: $0) } ?? buffer.count) : 0
      while index < buffer.count {
        let end = memchr(base + index, 0x0A, buffer.count - index).map { UnsafeRawPointer(base).distance(to: $0) }
        let line = index..<(end ?? buffer.count)
        if !line.isEmpty { take(UnsafeBufferPointer(rebasing: buffer[line])) }
        index = line.upperBound + 1
      }
    }
  }

  /// Appends one line completely or not at all.
  func append(_ text: String) throws(Failure) {
    let file = try openLocked()
    defer { close(file) }
    let size = lseek(file, 0, SEEK_END)
    var line = Array((text + "\n").utf8)
    var last: UInt8 = 0
    // An incomplete last line, written by another program, must not be joined with ours.
    if size > 0, pread(file, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") { line.insert(0x0A, at: 0) }
    let written = write(file, line, line.count)
    if written == line.count { return }
    let code = written < 0 ? errno : ENOSPC
    ftruncate(file, size)
    throw Failure(reason: .failed(code: code))
  }

  /// Replaces the file by one with the `newest` entries at most, and of those the ones that `isWanted` accepts.
  ///
  /// Lines between them that are not understood stay.
  func rewrite(newest: Int, where isWanted: (String) -> Bool) throws(Failure) {
    let file = try openLocked()
    defer { close(file) }
    var reader = HistoryReader()
    try readLines(of: file) { reader.take($0) }
    var bytes: [UInt8] = []
    let first = max(0, reader.entries.count - newest)
    var skipped = reader.skipped.drop { $0.index < first }
    for index in first...reader.entries.count {
      while let next = skipped.first, next.index == index {
        bytes += next.line + [0x0A]
        skipped.removeFirst()
      }
      guard index < reader.entries.count, isWanted(reader.entries[index].text) else { continue }
      let (text, record) = reader.entries[index]
      bytes += (Self.line(text, at: record.time) + "\n").utf8
      if let time = record.time, let status = record.status { bytes += (Self.outcome(status, at: time) + "\n").utf8 }
    }
    let new = path + ".\(getpid())"
    unlink(new)
    let copy = Glibc.open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard copy >= 0 else { throw Failure(reason: .failed(code: errno)) }
    defer { close(copy) }
    let isWritten = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: copy) } == 0 && fsync(copy) == 0
    guard isWritten, rename(new, path) == 0 else {
      let code = errno
      unlink(new)
      throw Failure(reason: .failed(code: code))
    }
  }

  /// Opens the file with an exclusive lock, which closing it releases, and checks that it is still the one at the path.
  private func openLocked() throws(Failure) -> Int32 {
    while true {
      let file = try open(O_RDWR | O_APPEND | O_CREAT)
      guard flock(file, LOCK_EX) == 0 else {
        let code = errno
        close(file)
        throw Failure(reason: .failed(code: code))
      }
      var (mine, there) = (stat(), stat())
      if fstat(file, &mine) == 0, lstat(path, &there) == 0, mine.st_ino == there.st_ino, mine.st_dev == there.st_dev {
        return file
      }
      close(file)
    }
  }

  /// Opens the file without following a link and without blocking on a FIFO.
  private func open(_ flags: Int32) throws(Failure) -> Int32 {
    let file = Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard file >= 0 else {
      switch errno {
      case ELOOP: throw Failure(reason: .symbolicLink)
      case EISDIR, ENXIO: throw Failure(reason: .notAFile)
      case let code: throw Failure(reason: .failed(code: code))
      }
    }
    var status = stat()
    var reason: HistoryError?
    if fstat(file, &status) != 0 {
      reason = .failed(code: errno)
    } else if status.st_mode & S_IFMT != S_IFREG {
      reason = .notAFile
    } else if status.st_uid != geteuid() {
      reason = .foreignOwner
    } else if status.st_mode & 0o077 != 0 {
      fchmod(file, 0o600)
    }
    if let reason {
      close(file)
      throw Failure(reason: reason)
    }
    return file
  }

  private func contents(of file: Int32, upTo limit: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, limit))
    var filled = 0
    while filled < bytes.count {
      let (start, room) = (filled, bytes.count - filled)
      let count = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + start, room) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw Failure(reason: .failed(code: errno)) }
      if count == 0 { break }
      filled += count
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  // MARK: Spelling

  static func line(_ entry: String, at time: Int64?) -> String {
    var spelled = String.UnicodeScalarView()
    for scalar in entry.unicodeScalars {
      switch scalar.value {
      case 0x0A: spelled += "\\n".unicodeScalars
      case 0x5C: spelled += "\\\\".unicodeScalars
      case 0..<0x20, 0x7F..<0xA0:
        let digits = String(scalar.value, radix: 16)
        spelled += ("\\x" + (digits.utf8.count < 2 ? "0" : "") + digits).unicodeScalars
      default: spelled.append(scalar)
      }
    }
    return String(spelled) + (time.map { " \\@\($0)" } ?? "")
  }

  static func outcome(_ status: Int32, at time: Int64) -> String { "\\!\(status) \(time)" }

  /// Parses `STATUS TIME`, which follows `\\!`.
  static func outcome(in line: Slice<UnsafeBufferPointer<UInt8>>) -> (status: Int32, time: Int64)? {
    guard let space = line.firstIndex(of: 0x20), let status = number(line[..<space]),
      let time = number(line[(space + 1)...])
    else { return nil }
    return Int32(exactly: status).map { ($0, time) }
  }

  private static func number(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    guard (1...18).contains(digits.count) else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = number * 10 + Int64(digit - 0x30)
    }
    return number
  }

  /// Parses a line of the file, or returns `nil` if it is not an entry.
  ///
  /// Unescaped control characters, as older versions wrote them, are accepted.
  static func entry(_ line: some Collection<UInt8>) -> (text: String, record: HistoryRecord)? {
    Array(line).withUnsafeBufferPointer { entry(in: $0) }
  }

  /// Parses an entry in memory.
  ///
  /// Most lines contain no backslash except before their time and need no unescaping.
  static func entry(in line: UnsafeBufferPointer<UInt8>) -> (text: String, record: HistoryRecord)? {
    guard let base = line.baseAddress, memchr(base, 0, line.count) == nil else { return nil }
    var record = HistoryRecord()
    var end = line.count
    while end > 0, (0x30...0x39).contains(line[end - 1]) { end -= 1 }
    if end < line.count, end >= 3, line[end - 3] == 0x20, line[end - 2] == 0x5C, line[end - 1] == 0x40 {
      guard let time = number(line[end...]) else { return nil }
      record.time = time
      end -= 3
    } else {
      end = line.count
    }
    let spelled = UnsafeBufferPointer(rebasing: line[..<end])
    let text =
      memchr(base, 0x5C, end) == nil
      ? String(validating: spelled, as: UTF8.self) : String(validating: unspelled(line[..<end]), as: UTF8.self)
    guard let text, !text.isEmpty, text.utf8.count <= LineLimit.bytes, !text.hasPrefix("_HiStOrY_V") else { return nil }
    return (text, record)
  }

  /// Returns the bytes without their escapes.
  ///
  /// An invalid escape yields bytes that are not UTF-8.
  private static func unspelled(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = line
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "\\"): bytes.append(0x5C)
      case UInt8(ascii: "x"):
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
        guard rest.count >= 2, let code, code != 0 else { return [0xFF] }
        bytes += String(Unicode.Scalar(code)).utf8
        rest = rest.dropFirst(2)
      default: return [0xFF]
      }
    }
    return bytes
  }
}

/// Collects the entries of a file with their exit statuses.
struct HistoryReader {
  private(set) var entries: [(text: String, record: HistoryRecord)] = []
  /// The lines that are not entries, each with the number of entries before it.
  private(set) var skipped: [(index: Int, line: [UInt8])] = []
  /// The entry of each time; built only when an exit status does not belong to the entry before it.
  private var indices: [Int64: Int]?

  /// Takes a line of the file.
  ///
  /// After a loss of power, a file may have zeros where its last blocks were not written. What is before and after
  /// them is taken as lines of its own.
  mutating func take(_ line: UnsafeBufferPointer<UInt8>) {
    guard let base = line.baseAddress, memchr(base, 0, line.count) != nil else { return takeWithoutZeros(line) }
    for part in line.split(separator: 0) { takeWithoutZeros(UnsafeBufferPointer(rebasing: part)) }
  }

  private mutating func takeWithoutZeros(_ line: UnsafeBufferPointer<UInt8>) {
    if line.count > 2, line[0] == 0x5C, line[1] == 0x21, let (status, time) = HistoryFile.outcome(in: line[2...]) {
      if let index = index(of: time) { entries[index].record.status = status }
    } else if let entry = HistoryFile.entry(in: line) {
      if let time = entry.record.time { indices?[time] = entries.count }
      entries.append(entry)
    } else {
      skipped.append((entries.count, Array(line)))
    }
  }

  private mutating func index(of time: Int64) -> Int? {
    if entries.last?.record.time == time { return entries.count - 1 }
    let known =
      indices
      ?? Dictionary(
        entries.indices.compactMap { index in entries[index].record.time.map { ($0, index) } }, uniquingKeysWith: { $1 }
      )
    indices = known
    return known[time]
  }
}
