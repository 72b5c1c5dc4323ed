import Presentation
import Text

/// An independent analysis of terminal output: control characters, rows and column positions.
///
/// It doesn't share code with the sanitizer, and works on bytes, because the test of all scalars reads several hundred
/// million of them.
struct TerminalText {
  /// The characters that a line's output may contain in addition.
  enum Kind: Int {
    case terminal
    /// Tabs separate cells.
    case tabs
    /// JSON contains joiners, variation selectors and private-use characters unchanged, because they have no effect.
    case json
  }

  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Returns the first scalar that must not reach a terminal.
  ///
  /// The program's own colors are allowed.
  func firstForbidden(_ kind: Kind) -> Unicode.Scalar? {
    let allowed = TerminalText.allowed[kind.rawValue]
    return bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        if byte >= 0x20, byte < 0x7F {
          index += 1
          continue
        }
        if byte == 0x1B, let end = TerminalText.endOfColour(bytes, index) {
          index = end
          continue
        }
        let (value, length) = TerminalText.scalar(bytes, index)
        if !allowed[Int(value)] { return Unicode.Scalar(value) ?? "\u{FFFD}" }
        index += length
      }
      return nil
    }
  }

  /// Returns the number of occurrences of a letter.
  func count(_ letter: Unicode.Scalar) -> Int {
    let wanted = UInt8(truncatingIfNeeded: letter.value)
    return bytes.withUnsafeBufferPointer { bytes in
      var (count, index) = (0, 0)
      while index < bytes.count {
        if bytes[index] == wanted { count += 1 }
        index += 1
      }
      return count
    }
  }

  /// The rows of data without messages, which are marked.
  var rows: [ArraySlice<UInt8>] {
    bytes.split(separator: 0x0A, omittingEmptySubsequences: true).filter { !$0.starts(with: [0x21, 0x20]) }
  }

  /// Returns the number of cells before each scalar of a row that is one of `marks`.
  ///
  /// Colors have no width.
  static func places(of marks: Set<UInt32>, in row: ArraySlice<UInt8>) -> (places: [Int], width: Int) {
    row.withUnsafeBufferPointer { bytes in
      var (places, column, index): ([Int], Int, Int) = ([], 0, 0)
      while index < bytes.count {
        if bytes[index] >= 0x20, bytes[index] < 0x7F {
          column += 1
          index += 1
          continue
        }
        if bytes[index] == 0x1B, let end = endOfColour(bytes, index) {
          index = end
          continue
        }
        let (value, length) = scalar(bytes, index)
        if marks.contains(value) { places.append(column) }
        column += Unicode.Scalar(value).map { WidthMeasurer().of($0) } ?? 0
        index += length
      }
      return (places, column)
    }
  }

  private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(bytes[index])
    if first < 0x80 { return (first, 1) }
    let length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    var value = first & (length == 2 ? 0x1F : length == 3 ? 0x0F : 0x07)
    for offset in 1..<length { value = value << 6 | UInt32(bytes[index + offset]) & 0x3F }
    return (value, length)
  }

  /// Returns the index after `ESC [ digits and ; m`, or `nil` for any other sequence.
  private static func endOfColour(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
    guard start + 1 < bytes.count, bytes[start + 1] == 0x5B else { return nil }
    var index = start + 2
    while index < bytes.count, (0x30...0x39).contains(bytes[index]) || bytes[index] == 0x3B { index += 1 }
    return index < bytes.count && bytes[index] == 0x6D ? index + 1 : nil
  }

  // MARK: Allowed characters

  /// A flag for each scalar, by kind.
  private static let allowed: [[Bool]] = [Kind.terminal, .tabs, .json].map { kind in
    var flags = [Bool](repeating: true, count: 0x110000)
    for range in acting(kind) { for value in range { flags[value] = false } }
    return flags
  }

  /// Returns the invisible scalars with an effect, except the line break.
  private static func acting(_ kind: Kind) -> [ClosedRange<Int>] {
    let always = [
      0...0x08, 0x0B...0x1F, 0x7F...0x9F, 0xAD...0xAD, 0x61C...0x61C, 0x200B...0x200B, 0x200E...0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0xFEFF...0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE0FFF,
    ]
    let tab = [0x09...0x09]
    let joining = [0x200C...0x200D, 0xFE00...0xFE0F, 0xE000...0xF8FF, 0xF0000...0x10FFFF]
    return switch kind {
    case .terminal: always + tab + joining
    case .tabs: always + joining
    case .json: always + tab
    }
  }
}
