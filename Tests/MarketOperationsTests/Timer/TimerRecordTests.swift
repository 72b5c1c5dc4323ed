import Catalog
import Foundation
import MarketOperations
import Platform
import Testing
import Text

/// The record of the runs of the timer, also of those that were killed and after a loss of power.
@Suite final class TimerRecordTests {
  private let folder = NSTemporaryDirectory() + "openmarket-record-" + UUID().uuidString
  private var home: AppDirectories { AppDirectories(folder: folder) }
  private var path: String { home.timerFolder + "/runs.jsonl" }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private static func time(_ seconds: Int64) -> Timestamp { Timestamp(seconds: 1_796_071_700 + seconds, isUTC: true) }

  private static var part: TimerRecord.Part {
    var part = TimerRecord.Part(line: 2, occurrence: "2026-11-30T07:00", status: 7)
    part.runs = [12, 13]
    (part.done, part.unknown, part.left, part.failed) = (5, 1, 2, 3)
    part.reason = LocalizedText("2 of 11 were refused.", ko: "11건 중 2건이 거절되었습니다.")
    return part
  }

  @Test func runsAreStoredWithWhatTheyDid() throws {
    let record = TimerRecord(home)
    let lock = try #require(try record.lock())
    #expect(try record.entries().isEmpty)
    #expect(try record.begin(at: Self.time(0)) == 1)
    try record.end(1, at: Self.time(4), status: 7, [Self.part, TimerRecord.Part(status: 0)])
    // This one was killed.
    #expect(try record.begin(at: Self.time(300)) == 2)
    let entries = try record.entries()
    #expect(entries.map(\.number) == [1, 2] && entries.map(\.status) == [7, nil])
    #expect(entries[0].begun == Self.time(0) && entries[0].ended == Self.time(4) && entries[1].ended == nil)
    var read = entries[0].parts
    #expect(read.count == 2 && read[1] == TimerRecord.Part(status: 0))
    #expect(read[0].reason?.korean.plain == "11건 중 2건이 거절되었습니다.")
    read[0].reason = Self.part.reason
    #expect(read[0] == Self.part)
    withExtendedLifetime(lock) {}
  }

  @Test func secondLockIsRefused() throws {
    let record = TimerRecord(home)
    var lock = try record.lock()
    #expect(lock != nil)
    #expect(try record.lock() == nil)
    lock = nil
    #expect(try record.lock() != nil)
  }

  /// Every prefix of the file can be read, and the next run is recorded after it.
  @Test func cutFileIsRead() throws {
    let record = TimerRecord(home)
    _ = try record.lock()
    _ = try record.begin(at: Self.time(0))
    try record.end(1, at: Self.time(4), status: 0, [Self.part])
    let whole = try #require(try Files.read(path))
    for count in 0...whole.count {
      try Files.write(whole.prefix(count), to: path)
      let before = try record.entries()
      #expect(before.count <= 1)
      let number = try record.begin(at: Self.time(300))
      #expect(number == before.count + 1)
      #expect(try record.entries().map(\.number) == before.map(\.number) + [number], "\(count) bytes")
    }
  }

  /// Of many runs the newest stay, and before them those that did something.
  @Test func oldRunsAreRemoved() throws {
    let record = TimerRecord(home)
    _ = try record.lock()
    var text = ""
    for number in 1...4_000 {
      let did = number % 10 == 0 ? #"{"exit":0,"every":1,"runs":[]}"# : ""
      text += #"{"n":\#(number),"begun":"2026-11-30T07:00:00Z"}"# + "\n"
      text += #"{"n":\#(number),"ended":"2026-11-30T07:00:01Z","exit":0,"did":[\#(did)]}"# + "\n"
    }
    try Files.write(Data(text.utf8), to: path)
    #expect(try record.begin(at: Self.time(0)) == 4_001)
    let entries = try record.entries()
    #expect(entries.map(\.number) == stride(from: 1_990, through: 3_980, by: 10) + Array(3_981...4_001))
    #expect(entries.dropLast().allSatisfy { $0.status == 0 } && entries.last?.status == nil)
  }
}
