import Foundation
import Glibc
import TerminalTesting
import TestSupport
import Testing

/// Random keys: the editor continues to run, Ctrl-C cancels any state, and the line that runs is the one that was
/// shown.
@Suite(.startsPrograms, .timeLimit(Trial.limit)) struct LineEditorFuzzTests {
  /// The sequences that the editor binds, and some that it does not.
  private static let sequences =
    ["A", "B", "C", "D", "H", "F", "Z", "3~", "5~", "6~", "1;5C", "1;5D", "1;3C", "99~", "M !!"].map { "\u{1B}[" + $0 }
    + ["\u{1B}OA", "\u{1B}OH", "\u{1B}[[A", "\u{1B}", "\u{1B}\u{1B}[D", "\u{1B}]0;x\u{7}"]
    + "bfdyucl./_pnx<3w".map { "\u{1B}" + String($0) }
  private static let controls = (0..<32).filter { ![3, 4, 10, 13, 15, 26].contains($0) }.map {
    String(Unicode.Scalar(UInt8($0)))
  }
  private static let texts = [
    "a", "Z", "0", "3", "$", " ", "%", "가", "힣", "漢", "🔥", "e\u{301}", "\u{1112}\u{1161}\u{11AB}",
    "👨\u{200D}👩\u{200D}👧", "\u{7F}",
    "\u{1B}[200~붙인 text\u{1B}[201~", "\u{1B}[200~두\n줄\u{1B}[201~", "\u{1B}[200~둘\u{1B}[201~", "w", "d", "c", "f", "r",
    "t", ".", "x", "i",
    "p", "u", "A", "~", ";", "k", "j",
  ]

  /// Ctrl-C cancels the line after every key, and after every pair of keys with an effect.
  @Test(arguments: [[], ["--vi"]]) func controlCAlwaysCancels(options: [String]) throws {
    let keys = Self.controls + Self.sequences + Self.texts
    var random = SplitMix64(Trial.seed)
    var strokes = keys
    let pairs = keys.flatMap { first in keys.map { first + $0 } }
    strokes += Trial.isLong ? pairs : (0..<150).map { _ in pairs.randomElement(using: &random) ?? "" }
    let program = try probe(options + ["--colors", "--suggestions"], columns: 60)
    for stroke in strokes { try cancel("ab 가" + (options.isEmpty ? "" : "\u{1B}") + stroke, in: program) }
  }

  /// Forty random keys with resizes and signals in between: the line that runs is the one on the screen.
  @Test(arguments: [[], ["--vi"]]) func lineThatRunsIsTheOneOnTheScreen(options: [String]) throws {
    // A menu, a search and a quoted key show more or less than the line.
    let hidden = ["\u{C}", "\t", "\u{12}", "\u{13}", "\u{16}", "\u{1B}[Z"]
    let keys = (Self.controls + Self.sequences + Self.texts).filter {
      !hidden.contains($0) && !(options == ["--vi"] && $0 == "\u{1B}/")
    }
    var random = SplitMix64(Trial.seed &+ 7)
    var program = try probe(options, columns: 120, rows: 40)
    for round in 0..<Trial.count(40, long: 12_500, variable: "OPENMARKET_FUZZ_ROUNDS") {
      try clear(program, typing: "")
      let strokes = (0..<40).map { _ in keys.randomElement(using: &random) ?? "a" }
      let cut = Int.random(in: 0..<40, using: &random)
      try program.type(strokes[..<cut].joined())
      if round % 4 == 0 {
        program.resize(columns: .random(in: 60...120, using: &random), rows: 40)
        program.signal(SIGWINCH)
      }
      // A key that waits for another gets one without effect; the cleared screen shows that all were handled.
      try clear(program, typing: strokes[cut...].joined() + "\u{1C}", behind: strokes[..<cut].joined())
      program.catchUp()
      // Killed text is yanked repeatedly: a text higher than the window is not completely visible.
      if !program.screen.text.hasPrefix(">") || program.screen.cells.last?.contains(where: { $0.text != " " }) == true {
        program = try probe(options, columns: 120, rows: 40)
        continue
      }
      let shown = Self.line(on: program.screen)
      let hasWraps = program.screen.wraps.contains(true)
      let start = program.output.count
      try program.type("\r")
      try program.wait("the line of \(strokes)") { program in
        Self.result(in: program.output[start...]) != nil || Self.isLong(in: program.output[start...])
      }
      if Self.isLong(in: program.output[start...]) {
        program = try probe(options, columns: 120, rows: 40)
        continue
      }
      let ran = Self.result(in: program.output[start...]) ?? ""
      let drawn = Self.drawn(ran)
      // A wide character that did not fit leaves a cell free, which looks like a space.
      let isSame = drawn == shown || (hasWraps && drawn.replacing(" ", with: "") == shown.replacing(" ", with: ""))
      try #require(isSame, "seed \(Trial.seed), round \(round): \(strokes)\n<\(drawn)>\n<\(shown)>")
    }
  }

  /// Types the keys and clears the screen, so that everything on it was drawn after them.
  private func clear(_ program: TerminalProgram, typing keys: String, behind before: String = "") throws {
    let start = program.output.count
    try program.type(keys + "\u{C}")
    try program.wait("the end of \(keys.debugDescription) behind \(before.debugDescription)") { program in
      program.output[start...].firstRange(of: Array("\u{1B}[H\u{1B}[2J".utf8)) != nil
        && !program.screen.text.isEmpty
    }
  }

  private func cancel(_ keys: String, in program: TerminalProgram) throws {
    let start = program.output.count
    try program.type(keys + "\u{3}")
    let before = String(decoding: program.output.suffix(200), as: UTF8.self).debugDescription
    try program.wait("the end of \(keys.debugDescription) behind \(before)") { program in
      guard let said = program.output[start...].firstRange(of: Array("interrupted\r\n".utf8)) else { return false }
      return program.output[said.upperBound...].firstRange(of: Array("> ".utf8)) != nil
    }
  }

  /// Returns the text from the first row on with soft wraps joined.
  private static func line(on screen: Screen) -> String {
    var lines = [""]
    for (row, cells) in screen.cells.enumerated() {
      lines[lines.count - 1] += cells.map(\.text).joined()
      if !screen.wraps[row] { lines.append("") }
    }
    lines = lines.map { line in String(line.reversed().drop { $0 == " " }.reversed()) }
    while lines.last == "" { lines.removeLast() }
    // The prompt, whose space is invisible before an empty row.
    lines[0] = String(lines[0].dropFirst(2))
    while lines.last == "" { lines.removeLast() }
    return lines.joined(separator: "⏎")
  }

  /// Returns true if the probe reports only the length of the line.
  private static func isLong(in output: ArraySlice<UInt8>) -> Bool {
    output.firstRange(of: Array("line of ".utf8)) != nil
  }

  /// Returns the line that the probe reports.
  private static func result(in output: ArraySlice<UInt8>) -> String? {
    // Compared by bytes: a combining mark at the start of the line joins the character before it.
    guard let start = output.firstRange(of: Array("line <".utf8)),
      let end = output[start.upperBound...].firstRange(of: Array(">\r\n".utf8))
    else { return nil }
    return String(decoding: output[start.upperBound..<end.lowerBound], as: UTF8.self)
  }

  /// Returns the line as drawn in rows, where spaces at the end are invisible.
  private static func drawn(_ line: String) -> String {
    // Compared by scalars: a combining mark at the start of a row joins the character before it.
    var rows = line.unicodeScalars.split(separator: "⏎", omittingEmptySubsequences: false).map { String($0) }.map {
      row in
      // A combining mark at the start takes a cell.
      let startsWithMark =
        row.unicodeScalars.first.map { $0.value == 0x200D || $0.properties.isGraphemeExtend } ?? false
      // The joiner is part of the line but not of the screen.
      let seen = String(String.UnicodeScalarView(row.unicodeScalars.filter { $0 != "\u{200D}" }))
      return (startsWithMark ? " " : "") + String(seen.reversed().drop { $0 == " " }.reversed())
    }
    while rows.last == "" { rows.removeLast() }
    return rows.joined(separator: "⏎")
  }
}
