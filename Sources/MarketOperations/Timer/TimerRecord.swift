import Catalog
import Foundation
import Networking
import Platform
import Presentation
import Text

/// The record of the runs of the timer: each writes its begin before it does anything, and its end with what it did.
///
/// A run that was killed has no end.
package struct TimerRecord: Sendable {
  /// The result of one thing that a run of the timer did.
  package struct Part: Hashable, Sendable {
    /// The number of the recurring line, or `nil` for the starts and ends of sales.
    package var line: Int?
    /// The name of the occurrence.
    package var occurrence: String?
    package var status: Int32
    /// The numbers of the runs in the log.
    package var runs: [Int] = []
    /// The numbers of changes by their state, as the log has them.
    package var done = 0
    package var unknown = 0
    package var left = 0
    package var failed = 0
    /// The reason of a failure.
    package var reason: LocalizedText?

    package init(line: Int? = nil, occurrence: String? = nil, status: Int32) {
      self.line = line
      self.occurrence = occurrence
      self.status = status
    }
  }

  /// A run of the timer.
  package struct Entry: Hashable, Sendable {
    package var number: Int
    package var begun: Timestamp
    package var ended: Timestamp?
    package var status: Int32?
    package var parts: [Part]

    /// A Boolean value that indicates a run that did something, failed or did not end.
    package var isNotable: Bool { !parts.isEmpty || status != 0 }
  }

  /// The size of the file above which older runs are removed.
  private static let maximumBytes = 1 << 18
  /// The number of runs that stay: of those that did something, and of all.
  private static let notableCount = 200
  private static let latestCount = 20

  private let folder: String
  private var path: String { folder + "/runs.jsonl" }

  package init(_ home: AppDirectories) { folder = home.timerFolder }

  /// Takes the lock of the timer, or returns `nil` if another run has it.
  ///
  /// - Throws: `FileError` if the folder can't be created.
  package func lock() throws(FileError) -> FolderLock? {
    try Files.createHomeFolder(folder)
    return FolderLock(folder)
  }

  /// Returns the runs, oldest first.
  ///
  /// Lines that can't be read are ignored: the power may have failed while one was written.
  ///
  /// - Throws: `FileError`.
  package func entries() throws(FileError) -> [Entry] {
    guard let bytes = try Files.read(path) else { return [] }
    var entries: [Entry] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let object = (try? JSON(parsing: line))?.object, let number = (try? object.int("n")) ?? nil else {
        continue
      }
      if let begun = TimerRecord.time(object, "begun") {
        entries.append(Entry(number: number, begun: begun, ended: nil, status: nil, parts: []))
      } else if let ended = TimerRecord.time(object, "ended"),
        let index = entries.lastIndex(where: { $0.number == number })
      {
        entries[index].ended = ended
        entries[index].status = ((try? object.int("exit")) ?? nil).flatMap { Int32(exactly: $0) }
        let parts = ((try? object.array("did")) ?? nil) ?? []
        entries[index].parts = parts.compactMap { $0.object.flatMap(TimerRecord.part) }
      }
    }
    return entries
  }

  /// The time since which the timer has been installed, or `nil` if that isn't known.
  package var installed: Timestamp? {
    guard let text = (try? Files.text(folder + "/installed")) ?? nil else { return nil }
    return Timestamp(text.trimmed)
  }

  /// Records that the timer was installed, or removed if `time` is `nil`.
  ///
  /// - Throws: `FileError`.
  package func setInstalled(_ time: Timestamp?) throws(FileError) {
    guard let time else {
      unlink(folder + "/installed")
      return
    }
    try Files.createHomeFolder(folder)
    try Files.write(Data((time.description + "\n").utf8), to: folder + "/installed", mode: 0o600)
  }

  /// Records the begin of a run, durably, and returns its number.
  ///
  /// The folder must be locked.
  ///
  /// - Throws: `FileError`.
  package func begin(at time: Timestamp) throws(FileError) -> Int {
    let entries = try entries()
    let number = (entries.last?.number ?? 0) + 1
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_size > TimerRecord.maximumBytes {
      let older = entries.dropLast(TimerRecord.latestCount).filter(\.isNotable).suffix(TimerRecord.notableCount)
      let lines = (older + entries.suffix(TimerRecord.latestCount)).flatMap(TimerRecord.lines)
      try Files.write(Data(lines.map { $0 + "\n" }.joined().utf8), to: path, mode: 0o600)
    }
    try append(TimerRecord.begin(number, time))
    return number
  }

  /// Records the end of a run, durably.
  ///
  /// - Throws: `FileError`.
  package func end(_ number: Int, at time: Timestamp, status: Int32, _ parts: [Part]) throws(FileError) {
    try append(TimerRecord.end(number, at: time, status: status, parts))
  }

  private func append(_ line: String) throws(FileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    defer { close(file) }
    // After a loss of power the last line may be cut.
    let code = Array(("\n" + line + "\n").utf8).withUnsafeBytes { Descriptor.writeAll($0, to: file) }
    guard code == 0 else { throw .cannotWrite(path: path, errno: code) }
    guard fsync(file) == 0 || errno == EINVAL else { throw .cannotWrite(path: path, errno: errno) }
  }

  private static func lines(_ entry: Entry) -> [String] {
    [begin(entry.number, entry.begun)]
      + (entry.ended.map { [end(entry.number, at: $0, status: entry.status, entry.parts)] } ?? [])
  }

  private static func begin(_ number: Int, _ time: Timestamp) -> String {
    JSON.object([("n", .int(number)), ("begun", .string(time.description))]).serialized
  }

  private static func end(_ number: Int, at time: Timestamp, status: Int32?, _ parts: [Part]) -> String {
    JSON.object([
      ("n", .int(number)), ("ended", .string(time.description)), ("exit", .int(Int(status ?? 0))),
      ("did", .array(parts.map(json))),
    ]).serialized
  }

  private static func json(_ part: Part) -> JSON {
    var members: [(String, JSON)] = [("exit", .int(Int(part.status)))]
    if let line = part.line { members.append(("every", .int(line))) }
    if let occurrence = part.occurrence { members.append(("occurrence", .string(occurrence))) }
    members.append(("runs", .array(part.runs.map { .int($0) })))
    for (name, count) in [
      ("done", part.done), ("unknown", part.unknown), ("left", part.left), ("failed", part.failed),
    ] where count > 0 {
      members.append((name, .int(count)))
    }
    if let reason = part.reason {
      members.append(("reason", .string(reason.english.plain)))
      members.append(("reason_ko", .string(reason.korean.plain)))
    }
    return .object(members)
  }

  private static func part(_ object: JSONObject) -> Part? {
    func int(_ key: String) -> Int? { (try? object.int(key)) ?? nil }
    guard let status = int("exit").flatMap({ Int32(exactly: $0) }) else { return nil }
    var part = Part(line: int("every"), occurrence: (try? object.string("occurrence")) ?? nil, status: status)
    part.runs = (((try? object.array("runs")) ?? nil) ?? []).compactMap(\.int)
    (part.done, part.unknown) = (int("done") ?? 0, int("unknown") ?? 0)
    (part.left, part.failed) = (int("left") ?? 0, int("failed") ?? 0)
    if let english = (try? object.string("reason")) ?? nil {
      let korean = (try? object.string("reason_ko")) ?? nil
      part.reason = LocalizedText("\(.foreign(english))", ko: "\(.foreign(korean ?? english))")
    }
    return part
  }

  private static func time(_ object: JSONObject, _ key: String) -> Timestamp? {
    ((try? object.string(key)) ?? nil).flatMap { Timestamp($0) }
  }
}
