import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

@testable import LineEditing

/// Joined emoji in tmux, which draws their parts apart and joins what is drawn next: the line on its screen is the line
/// that runs, and its cursor is where the next character is inserted.
///
/// The tests are skipped without tmux. A long run makes 5,000 edits.
@Suite(.startsPrograms, .timeLimit(Trial.limit), .enabled(if: Trial.runs(with: "tmux"))) struct TmuxTests {
  fileprivate static let inserted = [
    "a", "B", "7", "=", "가", "힣", "漢", "🔥", "👨\u{200D}👩\u{200D}👧\u{200D}👦", "👩\u{200D}🚀", "👍🏽", "👩🏿\u{200D}🦰",
    "❤\u{FE0F}", "🏳\u{FE0F}\u{200D}🌈", "1\u{FE0F}\u{20E3}", "é", "x\u{301}",
  ]

  @Test func joinedEmojiAreShownAsInTheLine() throws {
    var random = SplitMix64(Trial.seed)
    let tmux = try Tmux(columns: 40, rows: 12)
    var rest = Trial.count(60, long: 5_000)
    Trial.printInLongRun("\(rest) edits in tmux")
    while rest > 0 {
      try tmux.send(keys: ["C-l"])
      var line = Line()
      for _ in 0..<min(rest, 25) {
        try tmux.send(line.edit(&random))
        try tmux.wait("seed \(Trial.seed), \(rest) edits left, \(line.keys)") { $0.shows(line) }
        rest -= 1
      }
      try tmux.send(keys: ["Enter"])
      try tmux.wait("seed \(Trial.seed): the line of \(line.keys)") { _ in try tmux.ran(line) }
    }
  }

  /// A line as a sequence of characters, with the keys that made it.
  fileprivate struct Line {
    private(set) var characters: [Character] = []
    private(set) var cursor = 0
    private(set) var keys: [String] = []

    var text: String { String(characters) }

    /// The cursor in Unicode scalars.
    var offset: Int { String(characters[..<cursor]).unicodeScalars.count }

    /// Makes a random edit and returns it in the notation of `tmux send-keys`.
    mutating func edit(_ random: inout SplitMix64) -> [String] {
      let key: [String]
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<3: (key, cursor) = (["Left"], max(0, cursor - 1))
      case 3..<5: (key, cursor) = (["Right"], min(characters.count, cursor + 1))
      case 5..<7 where cursor > 0:
        characters.remove(at: cursor - 1)
        (key, cursor) = (["BSpace"], cursor - 1)
      case 7 where cursor < characters.count:
        characters.remove(at: cursor)
        key = ["DC"]
      case 8: (key, cursor) = (["Home"], 0)
      case 9: (key, cursor) = (["End"], characters.count)
      case 10 where cursor > 0 && cursor < characters.count:
        characters.swapAt(cursor - 1, cursor)
        (key, cursor) = (["C-t"], cursor + 1)
      default:
        let new = TmuxTests.inserted.randomElement(using: &random) ?? "a"
        characters.insert(Character(new), at: cursor)
        (key, cursor) = (["-l", new], cursor + 1)
      }
      keys.append(key.last ?? "")
      return key
    }
  }
}

/// The editor's probe in a tmux of its own.
private final class Tmux {
  static let program = "/usr/bin/tmux"

  private let socket: String
  private let columns: Int

  init(columns: Int, rows: Int) throws {
    socket = FileManager.default.temporaryDirectory.path + "/tmux-\(UUID().uuidString.prefix(8))"
    self.columns = columns
    try run(
      ["-f", "/dev/null", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", builtProgram("EditorProbe")],
      isStart: true)
    try run(["pipe-pane", "cat > \(socket).out"])
    try wait("the prompt") { $0.text.hasPrefix(">") }
  }

  deinit {
    _ = try? run(["kill-server"])
    unlink(socket + ".out")
  }

  func send(_ edit: [String]) throws { try run(["send-keys"] + edit) }
  func send(keys: [String]) throws { try run(["send-keys"] + keys) }

  /// What tmux shows: its text without wraps, and its cursor.
  struct Picture {
    var text: String
    var column: Int
    var row: Int
    var columns: Int

    /// Returns whether the screen shows the line and its cursor.
    func shows(_ line: TmuxTests.Line) -> Bool {
      var builder = FrameBuilder(columns: columns)
      builder.write(styled: "> ")
      builder.write(text: line.text, styles: [], cursor: line.offset)
      let cursor = builder.frame.cursor
      return Picture.seen(text) == Picture.seen(">" + line.text) && (column, row) == (cursor.column, cursor.row)
    }

    /// Returns the text without blanks and without the scalars that take no cell.
    private static func seen(_ text: String) -> [Unicode.Scalar] {
      text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\u{200D}" && $0 != "\u{FE0F}" }
    }
  }

  /// Returns whether the line is the last one that the probe reported.
  ///
  /// The report is read from the bytes that tmux received, because tmux does not show all of a joined emoji.
  func ran(_ line: TmuxTests.Line) throws -> Bool {
    let output = try String(contentsOfFile: socket + ".out", encoding: .utf8)
    guard let start = output.range(of: "line <", options: [.backwards, .literal]) else { return false }
    return output[start.upperBound...].unicodeScalars.starts(with: (line.text + ">\r\n").unicodeScalars)
  }

  func wait(_ goal: String, until isReached: (Picture) throws -> Bool) throws {
    let end = ContinuousClock.now + Waiting.timeLimit
    while true {
      let answer = try run(["display-message", "-p", "#{cursor_x} #{cursor_y}", ";", "capture-pane", "-p"])
      let lines = answer.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
      let cursor = lines[0].split(separator: " ").compactMap { Int($0) }
      let picture = Picture(text: String(lines.last ?? ""), column: cursor[0], row: cursor[1], columns: columns)
      if try isReached(picture) { return }
      try #require(ContinuousClock.now < end, "\(goal)\n\(picture)")
      usleep(3_000)
    }
  }

  @discardableResult
  private func run(_ arguments: [String], isStart: Bool = false) throws -> String {
    let pipe = try Spawn.pipe()
    defer { close(pipe.readEnd) }
    let (id, problem) = Spawn.start(
      Tmux.program, [Tmux.program, "-u", "-S", socket] + arguments,
      environment: ["PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TERM=xterm-256color"]
    ) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, pipe.writeEnd, 1)
      posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
      // The server of tmux, which the first command starts, would hold the pipe open.
      if isStart { posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) }
    }
    close(pipe.writeEnd)
    try #require(problem == 0)
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = read(pipe.readEnd, &chunk, chunk.count), count > 0 { answer += chunk[..<count] }
    var status: Int32 = 0
    waitpid(id, &status, 0)
    try #require(status == 0, "tmux \(arguments)")
    return String(decoding: answer, as: UTF8.self)
  }
}
