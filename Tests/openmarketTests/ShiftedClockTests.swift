import Foundation
import TestSupport
import Testing

/// The program under libfaketime, with which a test of a user moves the clock, in one home and to and fro.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ShiftedClockTests {
  /// The library of the package `libfaketime`, or `nil` if it isn't installed.
  private static let library = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].lazy.flatMap { folder in
    let machines = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return [folder] + machines.filter { $0.hasSuffix("-linux-gnu") }.map { folder + "/" + $0 }
  }.map { $0 + "/faketime/libfaketimeMT.so.1" }.first { FileManager.default.fileExists(atPath: $0) }

  /// A write, its record with the moved time, and its undo.
  @Test(.enabled(if: library != nil, "libfaketime is not installed"))
  func writesAreRecordedAtTheMovedTime() throws {
    let library = try #require(Self.library)
    let home = try TemporaryHome()
    func run(_ time: String) throws -> PipedProgram.Result {
      try openmarket(
        ["--home", home.path + "/home", "-c", "patch 138 stock=9 yes", "-c", "log 1 as csv", "-c", "undo yes"],
        environment: ["LD_PRELOAD": library, "FAKETIME": time, "TZ": "UTC"])
    }
    for (time, days) in [("@2027-01-02 03:04:05", nil), ("-400d", -400), ("+30d", 30)] as [(String, Int?)] {
      let start = Date.now
      let result = try run(time)
      #expect(result.code == 0, "\(time): \(result.out)\(result.err)")
      let row = try #require(result.out.split(separator: "\n").first { $0.contains(",demo,") }, "\(result.out)")
      var dates = ["2027-01-02"]
      if let days {
        // Midnight may pass in between.
        dates = [start, Date.now].map {
          $0.addingTimeInterval(Double(days) * 86_400).formatted(.iso8601.year().month().day())
        }
      }
      #expect(dates.contains { row.contains($0) }, "\(time): \(row)")
      #expect(result.err.contains("stock 25 -> 9") && result.err.contains("stock 9 -> 25"), "\(time): \(result.err)")
    }
  }
}
