/// Measures how many terminal cells a text takes, so that columns stay aligned.
///
/// Sequences are measured as in terminals with grapheme cluster support: a joined emoji takes 2 cells, VS16 makes an
/// emoji 2 cells wide, a skin tone adds none, a flag is two indicators of 1. Older terminals differ on the first three.
/// `Sanitizer` removes these three, so both kinds of terminal agree on the width of sanitized text.
package struct WidthMeasurer: Hashable, Sendable {
  package var ambiguousWide: Bool

  package init(ambiguousWide: Bool = false) { self.ambiguousWide = ambiguousWide }

  /// Returns the width of a single scalar: 0, 1 or 2 cells.
  package func of(_ scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case 0...0x1F, 0x7F...0x9F: return 0
    case 0xAC00...0xD7A3: return 2
    case 0x1160...0x11FF, 0xD7B0...0xD7FF: return 0  // The second and third jamo join the first.
    case 0xAD: return 1
    case ..<0x300: return ambiguousWide && WidthMeasurer.contains(WidthTable.ambiguous, scalar.value) ? 2 : 1
    default: break
    }
    if scalar.isZeroWidth { return 0 }
    if WidthMeasurer.contains(WidthTable.wide, scalar.value) { return 2 }
    return ambiguousWide && WidthMeasurer.contains(WidthTable.ambiguous, scalar.value) ? 2 : 1
  }

  /// Returns the width of a text in cells; a sequence is counted once.
  package func of(_ text: String) -> Int {
    if text.isPrintableASCII { return text.utf8.count }
    var sum = 0
    var last = 0
    var joined = false
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x200D: joined = last == 2
      case 0xFE0F where last == 1:
        sum += 1
        last = 2
      case 0x1F3FB...0x1F3FF where last == 2: break
      default:
        let width = of(scalar)
        if joined {
          joined = false
        } else {
          sum += width
          if width > 0 { last = width }
        }
      }
    }
    return sum
  }

  /// Returns the text truncated at its end to at most `width` cells, with an ellipsis if something was cut.
  ///
  /// A wide character that would cross the limit is dropped, so the result may be one cell short; `aligned` fills it up.
  /// The text is read only up to the cut.
  package func truncated(_ text: String, to width: Int, ellipsis: String = "…") -> String {
    guard width > 0 else { return "" }
    if text.utf8.count <= width, text.isPrintableASCII { return text }
    let room = width - min(of(ellipsis), width)
    let scalars = text.unicodeScalars
    var used = 0
    // The position after the last scalar that leaves enough cells for the ellipsis.
    var cut = scalars.startIndex
    for index in scalars.indices {
      let cells = of(scalars[index])
      if used + cells > width {
        return of(ellipsis) > width ? String(repeating: ".", count: width) : String(scalars[..<cut]) + ellipsis
      }
      used += cells
      if used <= room { cut = scalars.index(after: index) }
    }
    return text
  }

  /// Returns the text truncated in the middle to at most `width` cells: addresses differ at their ends.
  package func truncatedInMiddle(_ text: String, to width: Int, ellipsis: String = "…") -> String {
    guard of(text) > width else { return text }
    let room = width - of(ellipsis)
    guard room >= 8 else { return truncated(text, to: width, ellipsis: ellipsis) }
    let head = truncated(text, to: room * 2 / 5, ellipsis: "")
    var tail = String.UnicodeScalarView()
    var used = of(head)
    for scalar in text.unicodeScalars.reversed() {
      used += of(scalar)
      if used > room { break }
      tail.append(scalar)
    }
    return head + ellipsis + String(String.UnicodeScalarView(tail.reversed()))
  }

  /// Returns the text truncated or filled with spaces to exactly `width` cells, aligned to the left or, with `right`,
  /// to the right.
  package func aligned(_ text: String, to width: Int, right: Bool = false, ellipsis: String = "…") -> String {
    let fitted = truncated(text, to: width, ellipsis: ellipsis)
    let filling = String(repeating: " ", count: max(0, width - of(fitted)))
    return right ? filling + fitted : fitted + filling
  }

  private static func contains(_ ranges: [ClosedRange<UInt32>], _ value: UInt32) -> Bool {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if value < ranges[middle].lowerBound {
        high = middle
      } else if value > ranges[middle].upperBound {
        low = middle + 1
      } else {
        return true
      }
    }
    return false
  }
}

extension String {
  /// Indicates whether every byte is a printable ASCII character, which takes one cell.
  var isPrintableASCII: Bool {
    utf8.withContiguousStorageIfAvailable { bytes in
      var index = 0
      while index < bytes.count {
        // Tests for 0x20...0x7E with one comparison.
        if bytes[index] &- 0x20 > 0x5E { return false }
        index += 1
      }
      return true
    } ?? utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}
