import Catalog
import CommandLanguage
import Foundation
import Networking
import TestSupport
import Testing
import Text

/// A regular expression from `~/` to the closing `/` is one token.
@Suite struct RegexPatternTests {
  /// 500 regular expressions with `|`, `;`, quotes, `&` and spaces, each with a text and the result of Python's
  /// `re.search`.
  ///
  /// They were generated once with seed 20261124 and Python 3.11. A row contains pattern, case sensitivity, text and
  /// result.
  @Test func matchesEqualThoseOfPython() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Tables/patterns.jsonl")
    let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
    #expect(rows.count == 500)
    for row in rows {
      let cells = try #require(try JSON(parsing: Data(row.utf8)).array)
      let (pattern, text) = (cells[0].plainText, cells[2].plainText)
      let line = "ls where name~/\(pattern)/\(cells[1] == .bool(true) ? "i" : "") and stock=2 sort id | head"
      var product = Sample.product
      product.name = text
      let segments = try Sample.grammar.segments(of: line)
      #expect(segments.count == 1 && segments[0].pipe == "head", "\(line)")
      let condition = try Sample.grammar.read(segments[0], of: line).condition("where")
      #expect(try condition?.holds(for: product) == (cells[3] == .bool(true)), "\(line) of \(text)")
      #expect(try condition.map { try Condition.read($0.description) } == condition, "\(line)")
      var continuation = LineContinuation()
      let goesOn = continuation.needsContinuation(after: line)
      #expect(!goesOn, "\(line)")
    }
  }

  @Test(arguments: [
    ("ls where name~/a;b/; next", 2, nil), ("ls where name~/a|touch zzz/ sort id", 1, nil),
    ("ls where name~/a\"b/ | head", 1, "head"), ("ls where name~/a'b/;ls", 2, nil), ("ls where name~/a # b/", 1, nil),
    ("ls where name ~ /a|b/ | head", 1, "head"), ("ls where name ~/a|b/ | head", 1, "head"),
    ("ls where name !~/a|b/", 1, nil), ("ls where name~/a\\/|b/", 1, nil), ("ls where name~/$a|b$/", 1, nil),
    ("ls where (name~/a|b/)", 1, nil), ("ls where name~/a|b/i and name~/c|d/", 1, nil),
    // A tilde at the beginning of a word is the home folder.
    ("ls to ~/a.csv | head", 1, "head"), ("ls where stock=2 to ~/a.csv | head", 1, "head"),
    ("ls to ~/a|head", 1, "head"),
  ])
  func separatorsInAPatternDoNotSplitTheLine(_ line: String, _ count: Int, _ pipe: String?) throws {
    let segments = try Sample.grammar.segments(of: line)
    #expect(segments.count == count)
    #expect(segments[0].pipe == pipe)
  }

  /// An unclosed one is an error, never a pipe, and doesn't continue on the next line.
  @Test(arguments: [
    "ls where name~/a|touch zzz", "ls where name ~ /a|touch zzz", "ls where name~/a\\/|b", "ls name~/a|touch zzz",
    "ls where name~//|touch zzz",
  ])
  func unclosedPatternIsRefused(_ line: String) {
    #expect(throws: ParseError.self) { try Sample.grammar.segments(of: line) }
    #expect(!Sample.grammar.isUnfinished(line))
    var continuation = LineContinuation()
    let goesOn = continuation.needsContinuation(after: line)
    #expect(!goesOn)
  }

  @Test func patternIsHighlightedAsOneToken() {
    let line = "ls where name~/a|b; c/ and stock=2"
    #expect(Sample.grammar.highlights(line).contains { $0.range == 14..<22 && $0.role == .string })
  }

  /// Open brackets of a shape continue on the next line, but not elsewhere.
  @Test(arguments: [
    ("assert $p matches {", true), ("assert $p matches {\"a\": [int", true), ("assert $p matches {\"a\": int}", false),
    ("if $a = 1: assert $p matches [", true), ("echo matches {", false), ("ls search {", false),
    ("assert $p matches {\n  \"a\": int # a }\n", true), ("assert $p matches {\n  \"a\": int\n}; ls", false),
  ])
  func openShapeContinuesOnTheNextLine(_ line: String, _ goesOn: Bool) {
    #expect(Sample.grammar.isUnfinished(line) == goesOn)
    var continuation = LineContinuation()
    var result = false
    for part in line.lines { result = continuation.needsContinuation(after: part) }
    #expect(result == goesOn)
  }
}
