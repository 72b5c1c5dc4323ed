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
}

extension TemporaryHome {
  fileprivate static func names(in folder: String) throws -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }
}
