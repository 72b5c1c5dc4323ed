import Foundation
import Pacing
import Testing

/// The real program, killed by the kernel's tracer at the n-th call of a name: every call by which the journal or a
/// socket is touched is one that the program can die at.
@Suite(.timeLimit(Trial.limit)) struct SystemCallTests {
  /// Files of the journal: opened, written, synced, locked, linked away. Sockets: made, connected, written, read, closed.
  private static let calls = [
    "fdatasync", "pwrite64", "openat", "fcntl", "ftruncate", "fsync", "rename", "unlink", "flock", "socket", "connect",
    "write", "writev", "read", "close",
  ]

  private static let tracer = "/usr/bin/strace"

  @Test func everyWriteIsAccountedForWhicheverCallItDiesAt() async throws {
    try #require(
      FileManager.default.isExecutableFile(atPath: Self.tracer), "strace is needed to kill at a call by its name")
    try await Town.with { town in
      var dice = SplitMix64(Trial.seed &* 5000)
      let ids = try await town.stock(4)
      for round in 1...Trial.count(10, long: 300) {
        let call = Self.calls[(round - 1) % Self.calls.count]
        // Counted a thread each; the first few calls of a name are the start of the program.
        let number = Int.random(in: 1...Self.most(call), using: &dice)
        let lines = script(round, ids, town)
        let child = try town.start(
          lines,
          under: [
            Self.tracer, "-f", "-qqq", "-o", "/dev/null", "--seccomp-bpf", "-e", "trace=\(call)", "-e",
            "inject=\(call):signal=SIGKILL:when=\(number)",
          ])
        let ended = await child.ended()
        let (faults, said) = try await town.settle()
        let trace: Comment = "seed \(Trial.seed), \(call) \(number), \(ended.code): \(ended.errors) \(said)"
        #expect(faults == [], trace)
        guard faults.isEmpty else { return }
      }
    }
  }

  /// A create with a picture, a patch, its undo, a batch and a delete.
  private func script(_ round: Int, _ ids: [Int64], _ town: Town) -> [String] {
    [
      town.new("Made \(round)", pictures: 2), "patch _ stock=\(round + 10)", "undo",
      "patch \(ids[0])-\(ids[3]) stock=\(round * 10 + 5)", "rm _",
    ]
  }

  private static func most(_ call: String) -> Int {
    switch call {
    case "fdatasync": 8
    case "pwrite64": 60
    case "openat": 40
    case "fcntl": 80
    case "write", "read", "writev": 25
    case "socket", "connect", "rename", "unlink", "flock", "ftruncate", "fsync": 4
    default: 30
    }
  }
}
