import Glibc

/// The file that keeps the lines of all sessions: one entry a line, a newline inside it spelled `\n`, a backslash `\\`.
///
/// Behind an entry stands when it was run, ` \@` and milliseconds since 1970; what came of it is a line of its own, `\!`, the
/// exit status, and that time again. Files without these are read too.
/// Several shells append to it at once, each entry in one write under a lock; nothing is ever rewritten.
struct HistoryFile {
  let path: String
  /// Of a larger file only the end is read.
  static let readLimit = 4 << 20

  struct Failure: Error {
    var trouble: HistoryTrouble
  }

  /// The entries, oldest first, and how many lines were none.
  func load() throws(Failure) -> (entries: [(text: String, record: HistoryRecord)], skipped: Int) {
    let file: Int32
    do {
      file = try open(O_RDONLY)
    } catch {
      if error.trouble == .failed(code: ENOENT) { return ([], 0) }
      throw error
    }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    let start = max(0, size - Self.readLimit)
    lseek(file, off_t(start), SEEK_SET)
    let bytes = try contents(of: file, upTo: size - start)
    var lines = bytes.split(separator: UInt8(ascii: "\n"))[...]
    if start > 0 { lines = lines.dropFirst() }
    var entries: [(text: String, record: HistoryRecord)] = []
    var skipped = 0
    var places: [Int64: Int] = [:]
    for line in lines {
      if let entry = Self.entry(line) {
        if let time = entry.record.time { places[time] = entries.count }
        entries.append(entry)
      } else if let (status, time) = Self.outcome(line) {
        if let place = places[time] { entries[place].record.status = status }
      } else {
        skipped += 1
      }
    }
    return (entries, skipped)
  }

  /// Adds one line, whole or not at all.
  func append(_ text: String) throws(Failure) {
    let file = try open(O_RDWR | O_APPEND | O_CREAT)
    defer { close(file) }
    guard flock(file, LOCK_EX) == 0 else { throw Failure(trouble: .failed(code: errno)) }
    let size = lseek(file, 0, SEEK_END)
    var line = Array((text + "\n").utf8)
    var last: UInt8 = 0
    // Someone's torn line must not swallow ours.
    if size > 0, pread(file, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") { line.insert(0x0A, at: 0) }
    let written = write(file, line, line.count)
    if written == line.count { return }
    let code = written < 0 ? errno : ENOSPC
    ftruncate(file, size)
    throw Failure(trouble: .failed(code: code))
  }

  /// Never follows a link and never waits for a pipe's other end.
  private func open(_ flags: Int32) throws(Failure) -> Int32 {
    let file = Glibc.open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
    guard file >= 0 else {
      switch errno {
      case ELOOP: throw Failure(trouble: .symbolicLink)
      case EISDIR, ENXIO: throw Failure(trouble: .notAFile)
      case let code: throw Failure(trouble: .failed(code: code))
      }
    }
    var status = stat()
    var trouble: HistoryTrouble?
    if fstat(file, &status) != 0 {
      trouble = .failed(code: errno)
    } else if status.st_mode & S_IFMT != S_IFREG {
      trouble = .notAFile
    } else if status.st_uid != geteuid() {
      trouble = .foreignOwner
    } else if status.st_mode & 0o077 != 0 {
      fchmod(file, 0o600)
    }
    if let trouble {
      close(file)
      throw Failure(trouble: trouble)
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
      if count < 0 { throw Failure(trouble: .failed(code: errno)) }
      if count == 0 { break }
      filled += count
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  // MARK: Spelling

  static func line(_ entry: String, at time: Int64?) -> String {
    entry.replacing("\\", with: "\\\\").replacing("\n", with: "\\n") + (time.map { " \\@\($0)" } ?? "")
  }

  static func outcome(_ status: Int32, at time: Int64) -> String { "\\!\(status) \(time)" }

  static func outcome(_ line: some Collection<UInt8>) -> (status: Int32, time: Int64)? {
    guard line.starts(with: Array("\\!".utf8)) else { return nil }
    let words = String(decoding: line.dropFirst(2), as: UTF8.self).split(separator: " ")
    guard words.count == 2, let status = Int32(words[0]), let time = Int64(words[1]) else { return nil }
    return (status, time)
  }

  /// The entry a line of the file spells; nil when it is none of ours.
  static func entry(_ line: some Collection<UInt8>) -> (text: String, record: HistoryRecord)? {
    guard line.count <= LineLimit.bytes * 2, let text = String(validating: line, as: UTF8.self) else { return nil }
    var scalars = String.UnicodeScalarView()
    var record = HistoryRecord()
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      if scalar.value < 0x20 || (0x7F..<0xA0).contains(scalar.value) { return nil }
      guard scalar == "\\" else {
        scalars.append(scalar)
        continue
      }
      switch rest.popFirst() {
      case "n": scalars.append("\n")
      case "\\": scalars.append("\\")
      case "@":
        guard let time = Int64(String(rest)), scalars.last == " " else { return nil }
        scalars.removeLast()
        record.time = time
        rest = rest.suffix(0)
      default: return nil
      }
    }
    let entry = String(scalars)
    return entry.isEmpty || entry.hasPrefix("_HiStOrY_V") ? nil : (entry, record)
  }
}

/// Why lines are not kept, for the shell to say once in the person's language.
package enum HistoryTrouble: Sendable, Hashable {
  /// The path is a link, which is not followed.
  case symbolicLink
  /// The path is a folder, a pipe or a device.
  case notAFile
  /// The file belongs to someone else.
  case foreignOwner
  /// The file cannot be opened or written; `code` is the `errno`.
  case failed(code: Int32)
  /// So many lines of the file were not lines of ours and were left out; history stays on.
  case skippedLines(Int)
}
