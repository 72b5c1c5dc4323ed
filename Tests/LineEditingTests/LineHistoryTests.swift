import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

@testable import LineEditing

@Suite(.startsPrograms, .timeLimit(Trial.limit)) final class LineHistoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "history-\(UUID())").path
  private var path: String { folder + "/history" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  private func read(limit: Int = 100_000) -> History {
    var history = History(path: path, limit: limit)
    history.read()
    return history
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  @Test func linesAreStoredForTheNextSession() throws {
    var history = History(path: path)
    let lines = ["list", "가나 \\n", "one\ntwo", "list"]
    for line in lines + ["list"] { _ = history.add(line) }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "list\n가나 \\\\n\none\\ntwo\nlist\n")
    #expect(read().entries == lines)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test func filePermissionsAreRestrictedToTheOwner() throws {
    try Data("list\n".utf8).write(to: URL(filePath: path))
    chmod(path, 0o644)
    _ = History(path: path)
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test(
    arguments: [
      ("a\u{1B}[31m", "a\u{1B}[31m"), ("a\\040b", nil), ("a\\", nil), ("_HiStOrY_V2_", nil), ("a\tb", "a\tb"),
      ("a\\x09b", "a\tb"), ("a\\x9", nil), ("a\\x00", nil), ("a\\x9b", "a\u{9B}"), ("a \\\\@5", "a \\@5"),
      ("a \\@5", "a"), ("a\\\\b", "a\\b"),
      ("a\\nb", "a\nb"), ("가", "가"),
    ] as [(String, String?)])
  func invalidLinesAreSkipped(line: String, entry: String?) {
    #expect(HistoryFile.entry(Array(line.utf8))?.text == entry)
  }

  @Test func damagedFileLosesOnlyItsDamagedLines() throws {
    var bytes = Array("good\n".utf8) + [0xFF, 0xFE, 0x0A, 0x00, 0x0A] + Array(repeating: 0x78, count: 200_000)
    bytes += Array("\n\ntail without end".utf8)
    try Data(bytes).write(to: URL(filePath: path))
    var history = read()
    #expect(history.entries == ["good", "tail without end"])
    #expect(history.takeErrors() == [.skippedLines(2)])
    #expect(history.takeErrors() == [])
    _ = history.add("new")
    #expect(read().entries == ["good", "tail without end", "new"])
  }

  /// Zeros that a loss of power left in the file hide no entry, and no entry is lost when the file is written again.
  @Test(arguments: [
    (["\u{0}", "one \\@1"], ["one"]), (["one \\@1\n\\!7 1\n", "\u{0}", "two \\@2\n"], ["one", "two"]),
    (["one \\@1\n", "\u{0}", "\ntwo"], ["one", "two"]), (["one \\@1\n", "\u{0}", "\\!7 1\ntwo\n"], ["one", "two"]),
    (["one\ntw", "\u{0}", "hree\n"], ["one", "tw", "hree"]), (["one\n", "\u{0}"], ["one"]),
    (["one\ntwo", "\u{0}"], ["one", "two"]), (["\u{0}", "\n", "\u{0}", "one"], ["one"]),
  ])
  func zerosInTheFileHideNoEntry(parts: [String], entries: [String]) throws {
    let text = parts.map { $0 == "\u{0}" ? String(repeating: "\u{0}", count: 37) : $0 }.joined()
    try Data(text.utf8).write(to: URL(filePath: path))
    var history = read()
    #expect(history.entries == entries)
    #expect(history.takeErrors() == [])
    if text.contains("!7") { #expect(history.records[0].status == 7) }
    #expect(history.remove(["nothing"]) == 0)
    #expect(read().entries == entries)
    #expect(try !Data(contentsOf: URL(filePath: path)).contains(0))
  }

  /// A line that a newer program or another one wrote stays where it is.
  @Test func unknownLinesAreKeptInTheFile() throws {
    try Data("one\n\\?new 1\ntwo \\@2\n\\!0 2\nbad\\q\n".utf8).write(to: URL(filePath: path))
    var history = read()
    #expect(history.entries == ["one", "two"] && history.takeErrors() == [.skippedLines(2)])
    #expect(history.remove(["one"]) == 1)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "\\?new 1\ntwo \\@2\n\\!0 2\nbad\\q\n")
  }

  @Test func onlyTheEndOfALargeFileIsRead() throws {
    let file = open(path, O_WRONLY | O_CREAT, 0o600)
    ftruncate(file, 1 << 30)
    lseek(file, 0, SEEK_END)
    _ = write(file, "\nlast\n", 6)
    close(file)
    #expect(read().entries == ["last"])
  }

  @Test func fileOfAnotherProgramIsNotUsed() throws {
    try Data("x\n".utf8).write(to: URL(filePath: folder + "/target"))
    symlink(folder + "/target", folder + "/link")
    mkfifo(folder + "/pipe", 0o600)
    let cases: [(String, HistoryError)] = [
      ("link", .symbolicLink), ("pipe", .notAFile), ("", .notAFile), ("none/history", .failed(code: ENOENT)),
    ]
    for (name, trouble) in cases {
      var history = History(path: folder + "/" + name)
      _ = history.add("a")
      _ = history.add("b")
      #expect(history.takeErrors() == [trouble], "\(name)")
      #expect(history.entries == ["a", "b"])
    }
    #expect(try String(contentsOfFile: folder + "/target", encoding: .utf8) == "x\n")
  }

  /// Control characters and "\r\n", which is one `Character`, are restored exactly.
  @Test(arguments: ["a\tb", "echo c\r", "one\r\ntwo", "a\u{1B}[D\u{7F}", "a\u{85}b \\x09", "\\@5 x"])
  func everyLineIsReadBackUnchanged(line: String) throws {
    var history = History(path: path)
    _ = history.add(line, at: 5)
    _ = history.add("next")
    var again = read()
    #expect(again.entries.map { Array($0.utf8) } == [line, "next"].map { Array($0.utf8) })
    #expect(again.takeErrors() == [])
  }

  /// The file contains only the stored lines with their exit statuses.
  @Test func grownFileIsTrimmed() throws {
    let lines = (1...60).map { "line \($0) \\@\($0)\n\\!1 \($0)\n" }.joined()
    try Data(lines.utf8).write(to: URL(filePath: path))
    #expect(read(limit: 50).entries.count == 50)
    let kept = try String(contentsOfFile: path, encoding: .utf8)
    #expect(kept.hasPrefix("line 11 \\@11\n\\!1 11\nline 12"))
    #expect(kept.hasSuffix("line 60 \\@60\n\\!1 60\n"))
    #expect(read(limit: 50).records.allSatisfy { $0.status == 1 })
  }

  /// A removed line is removed everywhere, and another open session loses none of its lines.
  @Test func removedLineIsRemovedEverywhere() throws {
    var (history, other) = (read(), read())
    for line in ["one", "secret", "two", "secret", "two"] { _ = history.add(line, at: 7) }
    #expect(history.remove(["secret", "none"]) == 2)
    #expect(history.entries == ["one", "two"])
    _ = other.add("of the other")
    #expect(read().entries == ["one", "two", "of the other"])
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("secret"))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  /// The result of a search, step by step, compared with a linear search of all lines.
  @Test func searchEqualsALinearSearch() {
    var random = SplitMix64(38)
    var history = History(path: nil)
    for _ in 0..<400 {
      _ = history.add(String((0..<4).map { _ in "aAbB가 é".randomElement(using: &random) ?? "a" }))
    }
    let entries = history.entries
    for _ in 0..<300 {
      var search = IncrementalSearch(before: EditedLine(), at: entries.count, forward: false, in: history)
      var place = entries.count
      for _ in 0..<8 {
        let move = Int.random(in: 0..<4, using: &random)
        let isForward = move == 1
        switch move {
        case 0, 1: break
        case 2: search.add(String("abB가é".randomElement(using: &random) ?? "a"))
        default: search.deleteLastCharacter()
        }
        let isCaseless = search.pattern == search.pattern.lowercased()
        let newest = Set(Dictionary(entries.enumerated().map { ($1, $0) }, uniquingKeysWith: { $1 }).values)
        let hits = entries.indices.filter { index in
          newest.contains(index)
            && (search.pattern.isEmpty
              || (isCaseless ? entries[index].lowercased() : entries[index]).contains(search.pattern))
        }
        if move < 2 {
          let wanted = isForward ? hits.first { $0 > place } : hits.last { $0 < place }
          #expect(search.next(forward: isForward, in: history)?.text == wanted.map { entries[$0] })
          place = wanted ?? place
        } else if !search.pattern.isEmpty {
          let wanted = search.isForward ? hits.first { $0 >= place } : hits.last { $0 <= place }
          #expect(search.search(in: history)?.text == wanted.map { entries[$0] })
          place = wanted ?? place
        } else {
          #expect(search.search(in: history) == nil)
        }
      }
    }
  }

  /// Up shows each text once, and Down returns over the same lines.
  @Test func recallShowsEachTextOnce() {
    var walk = HistoryNavigator()
    let entries = ["a", "b", "a", "c", "b", "c"]
    #expect((0..<4).map { _ in walk.older(than: "", in: entries) } == ["c", "b", "a", nil])
    #expect((0..<3).map { _ in walk.newer(in: entries) } == ["b", "c", ""])
  }

  @Test func fullDiskIsReportedOnce() {
    var history = History(path: "/dev/full")
    #expect(history.takeErrors() == [.notAFile])
    _ = history.add("a")
    #expect(history.takeErrors() == [])
  }

  @Test func eightParallelShellsTearNoLine() throws {
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

  /// The suggestion is the newest continuation, regardless of where the last search ended: letters are typed and
  /// deleted, and lines run in between.
  @Test func suggestionIsTheNewestContinuation() {
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

  @Test func linesOfASessionAreOnDiskAndReadBack() throws {
    let program = try probe(["--history", path])
    try program.type("list 가\rlogin secret=x\rquit\r")
    #expect(try program.exitCode() == 0)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "list 가\n")
    let again = try probe(["--history", path])
    try again.type("\u{1B}[A")
    try again.expectRow("> list 가")
  }
}
