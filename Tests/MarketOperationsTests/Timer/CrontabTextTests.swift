import Foundation
import MarketOperations
import Testing

/// Our line in a crontab, beside lines that stay as they are.
@Suite struct CrontabTextTests {
  private static let name = "openmarket-12345678"
  private static let line = "*/5 * * * * /usr/bin/openmarket -c 'timer run'"

  private func text(_ bytes: [UInt8]) -> CrontabText { CrontabText(bytes, timer: Self.name) }

  static let others: [[UInt8]] = [
    [], Array("\n".utf8), Array("MAILTO=me\n0 3 * * * backup 100\\%\n".utf8), Array("# 한글\r\n\t\n\n".utf8),
    Array("0 3 * * * no newline at the end\n# begin openmarket-87654321 (openmarket: timer on)\n".utf8),
    [0x23, 0xFF, 0xFE, 0x0A, 0x00, 0x0A],
  ]

  @Test(arguments: others) func otherLinesStayByteForByte(_ others: [UInt8]) throws {
    #expect(try text(others).line() == nil)
    let added = try text(others).adding(Self.line)
    #expect(Array(added.prefix(others.count)) == others)
    #expect(try text(added).line() == Self.line)
    #expect(try text(added).removing() == others)
    // Twice is once, and a new line replaces the old one where others were added after it.
    let more = added + Array("5 5 * * * later\n".utf8)
    let changed = try text(more).adding("*/5 * * * * other")
    #expect(try text(changed).line() == "*/5 * * * * other")
    #expect(try text(changed).removing() == others + Array("5 5 * * * later\n".utf8))
  }

  @Test func missingNewlineAtTheEndIsAdded() throws {
    let added = try text(Array("0 3 * * * backup".utf8)).adding(Self.line)
    #expect(String(decoding: added, as: UTF8.self).hasPrefix("0 3 * * * backup\n# begin"))
  }

  @Test func changedLinesOfOursAreNotTouched() throws {
    let added = String(decoding: try text([]).adding(Self.line), as: UTF8.self)
    let lines = added.split(separator: "\n").map(String.init)
    let damaged = [
      [lines[0], lines[1]], [lines[1], lines[2]], [lines[2], lines[1], lines[0]], lines + lines,
      [lines[0], lines[1], "0 3 * * * between", lines[2]],
    ]
    for lines in damaged {
      let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
      #expect(throws: CrontabText.Fault.damaged) { try text(bytes).removing() }
      #expect(throws: CrontabText.Fault.damaged) { try text(bytes).adding(Self.line) }
      #expect(throws: CrontabText.Fault.damaged) { try text(bytes).line() }
    }
  }
}
