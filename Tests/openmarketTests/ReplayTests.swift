import Foundation
import TerminalTesting
import TestSupport
import Testing

/// `--replay` in the complete program: the same bytes on standard output, and no market is started.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct ReplayTests {
  @Test func recordedRunIsReplayedWithoutANetwork() throws {
    let folder = try TemporaryHome()
    let file = folder.path + "/session.har"
    let lines = ["ls size 5", "show 12 as json", "patch 12 stock=34 yes", "undo yes", "get /healthChecker"]
    let words = lines.flatMap { ["-c", $0] }
    let first = try openmarket(["--home", folder.path + "/first"] + words + ["-c", "calls session to \(file)"])
    let again = try openmarket(["--home", folder.path + "/second", "--replay", file] + words)
    #expect(first.code == 0 && again.code == 0, "\(first.err)\(again.err)")
    #expect(again.out == first.out && !first.out.isEmpty)
    #expect(try TemporaryHome.names(in: folder.path + "/second").allSatisfy { !$0.contains("demo") })
    let gap = try openmarket(["--home", folder.path + "/third", "--replay", file, "-c", "show 77"])
    #expect(gap.code == 3 && gap.out.isEmpty)
    #expect(gap.err.contains("The recording has no response for GET /api/products/77."), "\(gap.err)")
    let missing = try openmarket(["--replay", folder.path + "/nothing", "-c", "ls"])
    #expect(missing.code == 2 && missing.out.isEmpty)
    #expect(
      missing.err == "error: Cannot read \(folder.path)/nothing.\n  reason: No such file or directory.\n")
  }

  /// A recording is of one market: a plan that was made after a reset isn't applied to the recorded one, and the log of the
  /// home learns nothing of it.
  @Test func recordingIsOfItsMarket() throws {
    let folder = try TemporaryHome()
    let (home, file, plan) = (folder.path + "/home", folder.path + "/session.har", folder.path + "/p.json")
    let lines = ["show 138 stock", "patch 132 stock=9 yes", "plan patch 138 stock=20 to \(plan)"]
    let made = try openmarket(["--home", home] + (lines + ["calls session to \(file)"]).flatMap { ["-c", $0] })
    #expect(made.code == 0, "\(made)")
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let other = text.replacing(#/("Market-Generation",\s*"value":\s*"[^".]*\.)[^"]*/#) { $0.1 + "1900000000-aa" }
    #expect(other != text)
    try other.write(toFile: folder.path + "/other.har", atomically: true, encoding: .utf8)
    let journal = URL(filePath: home + "/state/journal/journal.sqlite")
    let before = try Data(contentsOf: journal)
    let held = try openmarket(["--home", home, "--replay", folder.path + "/other.har", "-c", "apply \(plan) yes"])
    #expect(held.code == 4 && held.err.contains("was made for another market. Nothing was sent."), "\(held)")
    let same = try openmarket(["--home", home, "--replay", file, "-c", "apply \(plan) yes"])
    #expect(!same.err.contains("another market"), "\(same)")
    #expect(try Data(contentsOf: journal) == before && !FileManager.default.fileExists(atPath: journal.path + "-wal"))
  }
}

extension TemporaryHome {
  fileprivate static func names(in folder: String) throws -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }
}
