import Foundation
import Testing

/// `--replay` of the whole program: the same bytes on standard output, and no socket at all.
@Suite struct ReplayTests {
  @Test func aRecordedRunComesAgainWithoutANetwork() throws {
    let folder = try TemporaryHome()
    let file = folder.path + "/session.jsonl"
    let lines = ["ls size 5", "show 12 as json", "patch 12 stock=34 yes", "undo yes", "get /healthChecker"]
    let words = lines.flatMap { ["-c", $0] }
    let first = try openmarket(["--home", folder.path + "/first", "-c", "record \(file)"] + words)
    let again = try openmarket(["--home", folder.path + "/second", "--replay", file] + words)
    #expect(first.code == 0 && again.code == 0, "\(first.err)\(again.err)")
    #expect(again.out == first.out && !first.out.isEmpty)
    #expect(try TemporaryHome.names(in: folder.path + "/second").allSatisfy { !$0.contains("demo") })
    // Whatever sockets the process has made itself (some came from whoever started it), none is one of the network.
    let mine = #"$(ls -l /proc/$PPID/fd | sed -n 's/.*socket:\[\([0-9]*\).*/\1/p')"#
    let theirs = #"ls -l /proc/$(sed -n 's/^PPid:\t//p' /proc/$PPID/status)/fd | grep -q "\[$s\]" || "#
    let search = "for s in " + mine + "; do " + theirs + #"grep " $s " /proc/net/tcp /proc/net/tcp6; done; echo none"#
    let sockets = "ls size 5 | cat > /dev/null; " + search
    let quiet = try openmarket(["--home", folder.path + "/third", "--replay", file, "-c", sockets])
    #expect(quiet.out == "none\n", "\(quiet.err)")
    let live = try openmarket(["--home", folder.path + "/first", "-c", sockets])
    #expect(live.out.contains("/proc/net/tcp:"), "the embedded market does listen")
    let gap = try openmarket(["--home", folder.path + "/third", "--replay", file, "-c", "show 77"])
    #expect(gap.code == 3 && gap.out.isEmpty)
    #expect(gap.err.contains("The recording has no answer to GET /api/products/77."), "\(gap.err)")
    #expect(try openmarket(["--replay", folder.path + "/nothing", "-c", "ls"]).code != 0)
  }
}

extension TemporaryHome {
  fileprivate static func names(in folder: String) throws -> [String] {
    (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
  }
}
