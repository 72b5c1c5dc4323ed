import Text

/// The lines that can be recalled, and the file that stores them.
///
/// The file is opened immediately, so that a problem is known before the first prompt. It is read when the editor waits
/// for a key, or when a line is needed.
struct History {
  /// The lines, oldest first.
  private(set) var entries: [String] = []
  /// The record of each line.
  private(set) var records: [HistoryRecord] = []
  /// The lines for searching.
  private(set) var folded = FoldedLines()
  private(set) var errors: [HistoryError] = []
  private var file: HistoryFile?
  private var isRead = false
  private var suggestability: [String: Bool] = [:]
  /// The typed text of the last suggestion and where the search for it stopped.
  ///
  /// No newer line can match a longer text.
  private var suggestionCache: (beginning: [UInt8], end: Int)?
  /// The maximum number of lines, in memory and in the file.
  private let limit: Int

  init(path: String?, limit: Int = 100_000) {
    self.limit = limit
    guard let path else { return }
    let file = HistoryFile(path: path)
    do {
      try file.check()
      self.file = file
    } catch {
      errors.append(error.reason)
    }
  }

  /// Reads the file unless it was read before.
  mutating func read() {
    guard !isRead else { return }
    isRead = true
    guard let file else { return }
    do {
      let (loaded, skipped) = try file.load()
      for (entry, record) in loaded {
        if entry == entries.last { records[records.count - 1] = record } else { append(entry, record) }
      }
      dropOldest()
      if skipped > 0 { errors.append(.skippedLines(skipped)) }
      if loaded.count > limit + limit / 10 { try file.rewrite(newest: limit) { _ in true } }
    } catch {
      giveUpFile(error)
    }
  }

  private mutating func append(_ entry: String, _ record: HistoryRecord) {
    entries.append(entry)
    records.append(record)
    folded.append(entry)
  }

  private mutating func dropOldest() {
    let count = entries.count - limit
    // Removes many lines at once, because each removal moves all others.
    guard count > 0, !isRead || count > limit / 10 else { return }
    entries.removeFirst(count)
    records.removeFirst(count)
    folded.removeFirst(count)
  }

  /// Adds a line; returns true if it differs from the last one, which is not stored twice.
  ///
  /// `time` is when it is run, in milliseconds since 1970, or `nil` if unknown.
  mutating func add(_ line: String, at time: Int64? = nil) -> Bool {
    guard !line.isEmpty, line.utf8.count <= LineLimit.bytes else { return false }
    read()
    let record = HistoryRecord(time: time)
    let isNew = line != entries.last
    suggestionCache = nil
    if isNew {
      append(line, record)
      dropOldest()
    } else {
      records[records.count - 1] = record
      // Without a time there is nothing new to store.
      if time == nil { return false }
    }
    write(HistoryFile.line(line, at: time))
    return isNew
  }

  /// Removes lines from memory and from the file; returns how many there were.
  mutating func remove(_ lines: Set<String>) -> Int {
    read()
    let all = zip(entries, records)
    let count = entries.count { lines.contains($0) }
    (entries, records, folded, suggestionCache) = ([], [], FoldedLines(), nil)
    for (entry, record) in all where !lines.contains(entry) && entry != entries.last { append(entry, record) }
    do {
      try file?.rewrite(newest: limit) { !lines.contains($0) }
    } catch {
      giveUpFile(error)
    }
    return count
  }

  // The problem is reported once: a full disk must not cause a message at every prompt.
  private mutating func giveUpFile(_ failure: HistoryFile.Failure) {
    file = nil
    errors.append(failure.reason)
  }

  /// Records the exit status of the line that was added last.
  mutating func recordExitStatus(_ status: Int32) {
    guard let last = records.last, last.status == nil, let time = last.time else { return }
    records[records.count - 1].status = status
    write(HistoryFile.outcome(status, at: time))
  }

  private mutating func write(_ line: String) {
    guard let file else { return }
    do {
      try file.append(line)
    } catch {
      giveUpFile(error)
    }
  }

  mutating func takeErrors() -> [HistoryError] {
    defer { errors = [] }
    return errors
  }

  /// Returns the continuation of `text` in the newest line that begins with it and may be suggested, or "".
  mutating func suggestion(after text: String, where isAllowed: (String) -> Bool) -> String {
    if text.isEmpty { return "" }
    read()
    let beginning = Array(text.utf8)
    var end = entries.count
    if let suggestionCache, beginning.starts(with: suggestionCache.beginning) { end = suggestionCache.end }
    while end > 0 {
      let entry = entries[end - 1]
      if Self.continues(beginning, entry), allowed(entry, isAllowed) {
        suggestionCache = (beginning, end)
        return String(entry.unicodeScalars.dropFirst(text.unicodeScalars.count))
      }
      end -= 1
    }
    suggestionCache = (beginning, 0)
    return ""
  }

  private static func continues(_ beginning: [UInt8], _ entry: String) -> Bool {
    var entry = entry
    return entry.withUTF8 { bytes in
      bytes.count > beginning.count && bytes.starts(with: beginning) && !bytes.contains(0x0A)
    }
  }

  /// Returns the cached decision about a line, because the same lines are tested at every key.
  private mutating func allowed(_ entry: String, _ isAllowed: (String) -> Bool) -> Bool {
    if let judged = suggestability[entry] { return judged }
    let result = isAllowed(entry)
    suggestability[entry] = result
    return result
  }
}

/// The reason why lines are not stored, which the shell reports once in the user's language.
package enum HistoryError: Sendable, Hashable {
  /// The path is a symbolic link, which is not followed.
  case symbolicLink
  /// The path is a folder, a FIFO or a device.
  case notAFile
  /// The file belongs to another user.
  case foreignOwner
  /// The file cannot be opened or written; `code` is the `errno`.
  case failed(code: Int32)
  /// The number of lines that were invalid and skipped; the history is still stored.
  case skippedLines(Int)
}

/// The time and the exit status of a line.
struct HistoryRecord: Equatable {
  /// The time in milliseconds since 1970, or `nil` for a line of an older file.
  var time: Int64?
  /// The exit status, or `nil` while the line runs and if it is unknown.
  var status: Int32?

  /// A local date and time.
  struct Moment: Equatable {
    private let day: String
    private let minute: String

    /// Creates the local date and time of `time`, in milliseconds since 1970.
    init(_ time: Int64) {
      let seconds = time / 1_000
      let local = CivilDate.split(seconds: seconds + (LocalTimeZone(at: seconds)?.secondsFromGMT ?? 0))
      func two(_ number: Int64) -> String { (number < 10 ? "0" : "") + String(number) }
      day = local.date.description
      minute = "\(two(local.secondOfDay / 3_600)):\(two(local.secondOfDay / 60 % 60))"
    }

    /// Returns the date and time; for today only the time, padded to the same width.
    func text(_ now: Moment?) -> String {
      day == now?.day ? String(repeating: " ", count: 11) + minute : "\(day) \(minute)"
    }
  }
}

/// A search pattern for earlier lines.
///
/// Without capitals it ignores case.
struct HistoryPattern {
  let text: String
  /// The pattern in lower case.
  private let bytes: [UInt8]
  private let exact: [UInt8]
  private let isFolded: Bool

  init(_ text: String) {
    self.text = text
    let folded = text.lowercased()
    (bytes, exact) = (Array(folded.utf8), Array(text.utf8))
    isFolded = text == folded
  }

  /// Returns the newest line before `position` that contains the pattern, or `nil`.
  ///
  /// Every line contains an empty one.
  func lastLine(before position: Int, of history: History) -> Int? {
    if bytes.isEmpty { return position > 0 ? position - 1 : nil }
    var end = position
    while let line = history.folded.lastLine(before: end, holding: bytes) {
      if isFolded || isContained(in: history.entries[line]) { return line }
      end = line
    }
    return nil
  }

  /// Returns true if the line contains the pattern.
  func isContained(in entry: String) -> Bool {
    if exact.isEmpty { return true }
    var entry = isFolded ? entry.lowercased() : entry
    return entry.withUTF8 { entry in
      ByteSearch.offset(of: exact, in: UnsafeRawBufferPointer(entry)) != nil
    }
  }

  /// Returns the number of scalars before the match; 0 if there is none.
  func offset(in entry: String) -> Int {
    let text = isFolded ? entry.lowercased() : entry
    let range = Array(text.unicodeScalars).firstRange(of: Array(self.text.unicodeScalars))
    return min(range?.lowerBound ?? 0, entry.unicodeScalars.count)
  }
}
