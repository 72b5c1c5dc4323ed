import Foundation
import ShellTesting
import TestSupport
import Testing

/// Output destinations: a file keeps its mode, a link is followed, and a device or FIFO is written to and never
/// replaced.
@Suite(.timeLimit(Trial.limit)) struct WriteDestinationTests {
  private func facts(_ path: String) -> stat {
    var facts = stat()
    lstat(path, &facts)
    return facts
  }

  @Test func fileKeepsItsMode() async throws {
    try await Sandbox.with { sandbox in
      let path = sandbox.folder + "/ids.csv"
      try sandbox.writeFile("ids.csv", "old")
      chmod(path, 0o600)
      #expect(await sandbox.run("show 3 id to ~/ids.csv replace").contains("Saved to"))
      #expect(try String(contentsOfFile: path, encoding: .utf8) == "id\r\n3\r\n")
      #expect(facts(path).st_mode & 0o777 == 0o600)
    }
  }

  /// A name of the maximum length, 255 bytes.
  @Test func longestFileNameIsWritten() async throws {
    try await Sandbox.with { sandbox in
      let name = String(repeating: "가", count: 83) + "ab.csv"
      #expect(name.utf8.count == 255)
      #expect(await sandbox.run("show 3 id to ~/\(name)").contains("Saved to"))
      let names = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder)
      #expect(names.contains(name) && !names.contains { $0.hasSuffix(".new") })
    }
  }

  @Test func symbolicLinkIsFollowed() async throws {
    try await Sandbox.with { sandbox in
      try sandbox.writeFile("real.csv", "old")
      let link = sandbox.folder + "/link.csv"
      symlink("real.csv", link)
      #expect(await sandbox.run("show 3 id to ~/link.csv replace").contains("Saved to"))
      #expect(facts(link).st_mode & S_IFMT == S_IFLNK)
      #expect(try String(contentsOfFile: sandbox.folder + "/real.csv", encoding: .utf8) == "id\r\n3\r\n")
    }
  }

  @Test func fifoIsWrittenToOrRefused() async throws {
    try await Sandbox.with { sandbox in
      let pipe = sandbox.folder + "/pipe"
      mkfifo(pipe, 0o600)
      // Without a reader the error is immediate, and nothing blocks.
      #expect(await sandbox.run("show 3 id to ~/pipe as csv").contains("Cannot write"))
      let reader = open(pipe, O_RDONLY | O_NONBLOCK)
      defer { close(reader) }
      #expect(await sandbox.run("show 3 id to ~/pipe as csv").contains("Saved to"))
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = read(reader, &bytes, bytes.count)
      #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "id\r\n3\r\n")
      #expect(facts(pipe).st_mode & S_IFMT == S_IFIFO)
    }
  }

  @Test func directoryIsRefused() async throws {
    try await Sandbox.with { sandbox in
      mkdir(sandbox.folder + "/folder", 0o700)
      #expect(await sandbox.run("show 3 id to ~/folder").contains("Cannot write"))
      let inside = try FileManager.default.contentsOfDirectory(atPath: sandbox.folder + "/folder")
      #expect(inside.isEmpty)
    }
  }
}
