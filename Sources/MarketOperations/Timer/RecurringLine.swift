import Catalog
import CommandLanguage
import Foundation
import Networking
import Platform
import ShellRuntime
import Text
import WriteJournal

/// A line that the timer runs at each occurrence: `every monday 7:00 import week.csv`.
package struct RecurringLine: Hashable, Sendable {
  /// The number, which no other line ever gets.
  package var number: Int
  package var recurrence: Recurrence
  /// The line as typed.
  package var text: String
  /// The profile in which it is run.
  package var profile: String
  /// The folder to which the paths in it are relative.
  package var folder: String
  /// The time since which it is due, in seconds since 1970.
  package var since: Int64
  /// The actor that added it.
  package var maker: ChangeActor

  package init(
    number: Int, recurrence: Recurrence, text: String, profile: String, folder: String, since: Int64,
    maker: ChangeActor
  ) {
    self.number = number
    self.recurrence = recurrence
    self.text = text
    self.profile = profile
    self.folder = folder
    self.since = since
    self.maker = maker
  }

  /// Returns the key of the run of an occurrence: the same occurrence is the same intent.
  package func key(of occurrence: Recurrence.Occurrence) -> String { "every \(number) \(occurrence.name)" }
}

/// The last occurrence of a recurring line that the timer has begun.
package struct BegunOccurrence: Hashable, Sendable {
  package var occurrence: Recurrence.Occurrence
  /// A Boolean value that indicates that it isn't run again.
  package var isOver: Bool
  /// The number of times that it was begun.
  package var attempts: Int
  /// The time before which it isn't begun again, in seconds since 1970.
  package var notBefore: Int64
  /// The exit status of the last attempt, or `nil` if that did not end.
  package var status: Int32?

  package init(
    _ occurrence: Recurrence.Occurrence, isOver: Bool = false, attempts: Int = 1, notBefore: Int64 = 0,
    status: Int32? = nil
  ) {
    self.occurrence = occurrence
    self.isOver = isOver
    self.attempts = attempts
    self.notBefore = notBefore
    self.status = status
  }

  /// The maximum time between two attempts, in minutes.
  private static let longestPause: Int64 = 60

  /// Returns the time of the next attempt after one that ended now: 5, 10, 20, 40 minutes later, and then each hour.
  package func nextAttempt(after now: Int64) -> Int64 {
    let minutes = attempts > 4 ? BegunOccurrence.longestPause : 5 << Int64(max(0, attempts - 1))
    // A timer that starts some seconds early must not wait for another interval.
    return now + min(minutes, BegunOccurrence.longestPause) * 60 - 30
  }
}

/// An occurrence that is to be run now.
package struct DueOccurrence: Hashable, Sendable {
  package var line: RecurringLine
  package var occurrence: Recurrence.Occurrence
  /// The attempt before, if it has not ended or is tried again.
  package var earlier: BegunOccurrence?
  /// The earlier occurrence that is given up, because a new one is due.
  package var unfinished: BegunOccurrence?
  /// The number of occurrences between the last one that was begun and this one.
  package var missed: Int

  /// Returns the occurrence of a line that is due at a time in seconds since 1970, or `nil` if none is.
  ///
  /// Of several missed occurrences only the last one is due.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - begun: The last occurrence that was begun.
  ///   - now: The time.
  ///   - offset: Returns the offset of the clock from UTC.
  package init?(
    of line: RecurringLine, after begun: BegunOccurrence?, at now: Int64,
    offset: Recurrence.Offset = Recurrence.offset
  ) {
    guard let last = line.recurrence.last(until: now, offset: offset), last.seconds > line.since else { return nil }
    // An occurrence of a clock that was far ahead is no reason to wait until then.
    let begun = begun.flatMap { $0.occurrence.seconds > now + 86_400 ? nil : $0 }
    self.line = line
    occurrence = last
    missed = 0
    guard let begun else {
      missed = line.recurrence.count(after: line.since, before: last.seconds, offset: offset)
      return
    }
    guard begun.occurrence.seconds != last.seconds else {
      guard !begun.isOver, begun.notBefore <= now || begun.notBefore > now + 2 * 3_600 else { return nil }
      earlier = begun
      return
    }
    guard begun.occurrence.seconds < last.seconds else { return nil }
    if !begun.isOver { unfinished = begun }
    missed = line.recurrence.count(after: begun.occurrence.seconds, before: last.seconds, offset: offset)
  }
}

/// The recurring lines of the home, in a file that can be edited, and which of their occurrences were begun.
package struct RecurringLineStore: Sendable {
  private static let head =
    JSON.object([("openmarket", .string("begun-occurrences")), ("version", .int(1))]).serialized + "\n"

  private let path: String
  private let begunPath: String

  package init(_ home: AppDirectories) {
    path = home.recurringLinesFile
    begunPath = home.timerFolder + "/begun.jsonl"
  }

  private static let table = "every"
  private static let highestKey = "last_number"

  /// Returns the lines in the order of their numbers.
  ///
  /// - Throws: `FileError` for a file that can't be read or has a mistake.
  package func lines() throws(FileError) -> [RecurringLine] {
    guard let file = try SettingsFile(path) else { return [] }
    return try lines(of: file)
  }

  private func lines(of file: SettingsFile) throws(FileError) -> [RecurringLine] {
    var lines: [RecurringLine] = []
    for (name, table) in try file.tables(in: RecurringLineStore.table) {
      lines.append(try line(name, table))
    }
    return lines.sorted { $0.number < $1.number }
  }

  private func line(_ name: String, _ table: SettingsTable) throws(FileError) -> RecurringLine {
    guard let number = Int(name), (1...999_999_999).contains(number), String(number) == name else {
      throw table.fault(
        "line", LocalizedText("the name \(.field(name)) is not a number", ko: "이름 \(.field(name), .topic) 번호가 아닙니다"))
    }
    func required(_ key: String) throws(FileError) -> String {
      guard let text = try table.text(key) else {
        throw table.fault(key, LocalizedText("\(.field(key)) is missing", ko: "\(.field(key)) 값이 없습니다"))
      }
      return text
    }
    let recurrence: Recurrence
    do {
      recurrence = try Recurrence(days: required("days"), time: required("time"))
    } catch let error as ParseError {
      throw table.fault("time", error.message)
    } catch let error as FileError {
      throw error
    } catch {
      throw table.fault("time", LocalizedText("\(.field("time")) is invalid", ko: "\(.field("time")) 값이 잘못되었습니다"))
    }
    let since = try table.text("since")
    guard let begins = Timestamp(since ?? "1970-01-01T00:00:00Z") else {
      throw table.fault("since", LocalizedText("\(.field("since")) is no time", ko: "\(.field("since")) 값이 시각이 아닙니다"))
    }
    return RecurringLine(
      number: number, recurrence: recurrence, text: try required("line"), profile: try required("profile"),
      folder: try table.text("folder") ?? "", since: begins.seconds,
      maker: try table.text("maker").flatMap { ChangeActor($0) } ?? .person)
  }

  /// Adds a line with the next number, which replaces the one of the argument, and returns it.
  ///
  /// - Throws: `FileError`; then nothing is added.
  package func add(_ line: RecurringLine) throws(FileError) -> RecurringLine {
    try change { (lines, highest) throws(FileError) in
      highest += 1
      var added = line
      added.number = highest
      lines.append(added)
      return added
    }
  }

  /// Removes a line, and returns it, or `nil` if there is none with the number.
  ///
  /// - Throws: `FileError`; then nothing is removed.
  package func remove(_ number: Int) throws(FileError) -> RecurringLine? {
    try change { (lines, _) throws(FileError) in
      guard let index = lines.firstIndex(where: { $0.number == number }) else { return nil }
      return lines.remove(at: index)
    }
  }

  private func change<Value>(
    _ body: (inout [RecurringLine], inout Int) throws(FileError) -> Value
  ) throws(FileError) -> Value {
    try Files.withExclusiveLock(at: path) { () throws(FileError) in
      let file = try SettingsFile(path)
      var lines = try file.map { (file) throws(FileError) in try self.lines(of: file) } ?? []
      var highest = lines.last?.number ?? 0
      if case .integer(let number)? = file?.root[RecurringLineStore.highestKey] { highest = max(highest, number) }
      let value = try body(&lines, &highest)
      var root = file?.root ?? [:]
      root[RecurringLineStore.highestKey] = .integer(highest)
      root[RecurringLineStore.table] =
        .table(Dictionary(uniqueKeysWithValues: lines.map { (String($0.number), RecurringLineStore.toml($0)) }))
      try Files.write(Data(SettingsFile.text(root).utf8), to: path, mode: 0o600)
      return value
    }
  }

  private static func toml(_ line: RecurringLine) -> TOML {
    .table([
      "days": .string(line.recurrence.days), "time": .string(line.recurrence.time), "line": .string(line.text),
      "profile": .string(line.profile), "folder": .string(line.folder),
      "since": .string(Timestamp(seconds: line.since, isUTC: true).description),
      "maker": .string(line.maker.description),
    ])
  }

  // MARK: Occurrences

  /// Returns the last occurrence of each line that was begun, by the number of the line.
  ///
  /// - Throws: `FileError`.
  package func begun() throws(FileError) -> [Int: BegunOccurrence] {
    guard let bytes = try Files.read(begunPath) else { return [:] }
    var begun: [Int: BegunOccurrence] = [:]
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let object = (try? JSON(parsing: line))?.object, let number = (try? object.int("every")) ?? nil,
        let name = (try? object.string("occurrence")) ?? nil, let seconds = (try? object.int("seconds")) ?? nil
      else { continue }
      let status = ((try? object.int("exit")) ?? nil).flatMap { Int32(exactly: $0) }
      begun[number] = BegunOccurrence(
        Recurrence.Occurrence(seconds: Int64(seconds), name: name),
        isOver: ((try? object.bool("over")) ?? nil) ?? false,
        attempts: ((try? object.int("attempts")) ?? nil) ?? 1,
        notBefore: Int64(((try? object.int("not_before")) ?? nil) ?? 0), status: status)
    }
    return begun
  }

  /// Records the last occurrence of a line that was begun, durably.
  ///
  /// The folder of the timer must be locked.
  ///
  /// - Throws: `FileError`.
  package func record(_ occurrence: BegunOccurrence, of number: Int) throws(FileError) {
    var begun = try begun()
    begun[number] = occurrence
    // The occurrences of removed lines aren't needed: no other line gets their numbers.
    let numbers = Set(try lines().map(\.number))
    let rows = begun.filter { numbers.contains($0.key) }.sorted { $0.key < $1.key }.map { number, begun in
      var members: [(String, JSON)] = [
        ("every", .int(number)), ("occurrence", .string(begun.occurrence.name)),
        ("seconds", .int(Int(begun.occurrence.seconds))), ("over", .bool(begun.isOver)),
        ("attempts", .int(begun.attempts)), ("not_before", .int(Int(begun.notBefore))),
      ]
      if let status = begun.status { members.append(("exit", .int(Int(status)))) }
      return JSON.object(members).serialized + "\n"
    }
    try Files.createHomeFolder(Paths.parent(of: begunPath))
    try Files.write(Data((RecurringLineStore.head + rows.joined()).utf8), to: begunPath, mode: 0o600)
  }
}
