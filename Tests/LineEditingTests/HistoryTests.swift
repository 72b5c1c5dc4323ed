import Foundation
import Glibc
import Pacing
import TerminalTesting
import Testing

@testable import LineEditing

@Suite(.waiting, .timeLimit(Trial.limit)) final class HistoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID())").path
  private var path: String { folder + "/history" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func linesOutliveTheSession() throws {
    var history = History(path: path)
    let lines = ["list", "가나 \\n", "one\ntwo", "list"]
    for line in lines + ["list"] { _ = history.add(line) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "list\n가나 \\\\n\none\\ntwo\nlist\n")
    #expect(History(path: path).entries == lines)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func openPermissionsAreClosed() throws {
    try Data("list\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o644)
    _ = History(path: path)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test(
    arguments: [
      ("a\u{1B}[31m", nil), ("a\\040b", nil), ("a\\", nil), ("_HiStOrY_V2_", nil), ("a\tb", nil), ("a\\\\b", "a\\b"),
      ("a\\nb", "a\nb"), ("가", "가"),
    ] as [(String, String?)])
  func linesThatAreNoneAreSkipped(line: String, entry: String?) {
    #expect(HistoryFile.entry(Array(line.utf8))?.text == entry)
  }

  @Test func aBrokenFileLosesOnlyItsBrokenLines() throws {
    var bytes = Array("good\n".utf8) + [0xFF, 0xFE, 0x0A, 0x00, 0x0A] + Array(repeating: 0x78, count: 200_000)
    bytes += Array("\n\ntail without end".utf8)
    try Data(bytes).write(to: URL(filePath: path))
    var history = History(path: path)
    #expect(history.entries == ["good", "tail without end"])
    #expect(history.takeTroubles() == [.skippedLines(3)])
    #expect(history.takeTroubles() == [])
    _ = history.add("new")
    #expect(History(path: path).entries == ["good", "tail without end", "new"])
  }

  @Test func onlyTheEndOfALargeFileIsRead() throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    ftruncate(file, 1 << 30)
    lseek(file, 0, SEEK_END)
    _ = write(file, "\nlast\n", 6)
    close(file)
    #expect(History(path: path).entries == ["last"])
  }

  @Test func whatIsNoFileOfOursIsNotUsed() throws {
    try Data("x\n".utf8).write(to: URL(filePath: folder + "/target"))
    symlink(folder + "/target", folder + "/link")
    mkfifo(folder + "/pipe", 0o600)
    let cases: [(String, HistoryTrouble)] = [
      ("link", .symbolicLink), ("pipe", .notAFile), ("", .notAFile), ("none/history", .failed(code: ENOENT)),
    ]
    for (name, trouble) in cases {
      var history = History(path: folder + "/" + name)
      _ = history.add("a")
      _ = history.add("b")
      #expect(history.takeTroubles() == [trouble], "\(name)")
      #expect(history.entries == ["a", "b"])
    }
    #expect(try String(contentsOfFile: folder + "/target", encoding: .utf8) == "x\n")
  }

  @Test func aFullDiskIsToldOnce() {
    var history = History(path: "/dev/full")
    #expect(history.takeTroubles() == [.notAFile])
    _ = history.add("a")
    #expect(history.takeTroubles() == [])
  }

  @Test func eightShellsTearNoLine() throws {
    let each = 500
    let processes = try (1...8).map { number in
      let process = Process()
      process.executableURL = URL(filePath: builtProgram("EditorProbe"))
      process.arguments = ["--append", path, "shell\(number)", "\(each)"]
      try process.run()
      return process
    }
    for process in processes { process.waitUntilExit() }
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    let wanted = (1...8).flatMap { shell in (1...each).map { "shell\(shell) 줄 \($0)" } }
    #expect(lines.sorted() == wanted.sorted())
  }

  /// The newest line that goes on, wherever the last look ended: letters are typed and taken back, lines run between them.
  @Test func aSuggestionIsTheNewestThatGoesOn() {
    var random = SplitMix64(20_261_123)
    var history = History(path: nil)
    var (text, found) = ("", 0)
    func letter() -> Character { "가나 x".randomElement(using: &random) ?? "x" }
    for _ in 0..<5_000 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0: _ = history.add(String((0..<5).map { _ in letter() }))
      case 1: text = String(text.dropLast())
      case _ where text.count > 3: text = ""
      default: text.append(letter())
      }
      let newest = history.entries.last { $0.hasPrefix(text) && $0 != text && !$0.hasSuffix("x") }
      let wanted = text.isEmpty ? "" : String(newest?.dropFirst(text.count) ?? "")
      #expect(history.suggestion(after: text) { !$0.hasSuffix("x") } == wanted, "\(text)")
      if !wanted.isEmpty { found += 1 }
    }
    #expect(found > 500)
  }

  @Test func linesOfASessionAreOnDiskAndComeBack() throws {
    let program = try probe(["--history", path])
    try program.type("list 가\rlogin secret=x\rquit\r")
    #expect(try program.exitCode() == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "list 가\n")
    let again = try probe(["--history", path])
    try again.type("\u{1B}[A")
    try again.expectRow("> list 가")
  }
}
