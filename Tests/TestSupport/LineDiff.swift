/// The lines that differ between two texts, with three lines of context, in the format of `diff -u`.
///
/// Invisible characters are escaped: lines that look alike may differ in an escape code, a carriage return, or the
/// composition of a syllable.
package struct LineDiff: Sendable {
  private enum Side: Character {
    case both = " "
    case old = "-"
    case new = "+"
  }

  private static let around = 3
  /// The maximum number of lines of a failure.
  private static let most = 120

  private let lines: [(side: Side, line: String)]
  /// The number of every line in the old and in the new text.
  private let numbers: [(old: Int, new: Int)]

  package init(from old: String, to new: String) {
    let (old, new) = (LineDiff.split(old), LineDiff.split(new))
    let changes = new.difference(from: old)
    var (removed, inserted) = (Set<Int>(), Set<Int>())
    for change in changes {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var lines: [(Side, String)] = []
    var numbers: [(Int, Int)] = []
    var (first, second) = (0, 0)
    while first < old.count || second < new.count {
      numbers.append((first + 1, second + 1))
      if removed.contains(first), first < old.count {
        lines.append((.old, old[first].text))
        first += 1
      } else if inserted.contains(second) {
        lines.append((.new, new[second].text))
        second += 1
      } else {
        lines.append((.both, old[first].text))
        first += 1
        second += 1
      }
    }
    self.lines = lines
    self.numbers = numbers
  }

  /// The difference, or `nil` if the texts are equal byte by byte.
  package var text: String? {
    let changed = lines.indices.filter { lines[$0].side != .both }
    guard !changed.isEmpty else { return nil }
    var shown: [String] = []
    var next = 0
    for index in changed where index >= next {
      // Extended to the end of the hunk: changes with few lines in between are one hunk.
      var end = index
      for other in changed where other > end && other - end <= 2 * LineDiff.around { end = other }
      let first = max(next, index - LineDiff.around)
      next = min(lines.count, end + LineDiff.around + 1)
      shown.append("@@ line \(numbers[first].old), now \(numbers[first].new) @@")
      shown += (first..<next).map { "\(lines[$0].side.rawValue)\(LineDiff.visible(lines[$0].line))" }
    }
    let rest = shown.count - LineDiff.most
    return shown.prefix(LineDiff.most).joined(separator: "\n") + (rest > 0 ? "\n… and \(rest) lines more" : "")
  }

  /// A line and the bytes it is compared by, because Swift treats composed and decomposed syllables as equal.
  private struct Line: Hashable {
    let bytes: [UInt8]
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Splits the text.
  ///
  /// The end of the text counts as a line too, so that a missing newline is visible.
  private static func split(_ text: String) -> [Line] {
    var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { Array($0) }
    if lines.last == [] { lines.removeLast() } else { lines[lines.count - 1] += Array("⏎ missing".utf8) }
    return lines.map(Line.init(bytes:))
  }

  private static func visible(_ line: String) -> String {
    var shown = ""
    for scalar in line.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .nonspacingMark, .unassigned, .privateUse:
        shown += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}
