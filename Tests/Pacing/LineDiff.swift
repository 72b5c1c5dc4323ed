/// The lines in which two texts differ, with three lines around each place, as `diff -u` writes them.
///
/// What cannot be seen is spelled out: lines that look alike may differ in an escape code, a carriage return, or in
/// how a syllable is composed.
package struct LineDiff: Sendable {
  private enum Side: Character {
    case both = " "
    case old = "-"
    case new = "+"
  }

  private static let around = 3
  /// Lines that a failure shows at most.
  private static let most = 120

  private let lines: [(side: Side, line: String)]
  /// Of every line, its number in the old text, and in the new one.
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

  /// Nil where the texts are the same, byte by byte.
  package var text: String? {
    let changed = lines.indices.filter { lines[$0].side != .both }
    guard !changed.isEmpty else { return nil }
    var shown: [String] = []
    var next = 0
    for index in changed where index >= next {
      // On to the end of the place: changes with few lines between them are one.
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

  /// A line with the bytes it is compared by; to Swift a syllable equals its parts.
  private struct Line: Hashable {
    let bytes: [UInt8]
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The end of the text is a line as well, so that a missing line feed shows.
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
