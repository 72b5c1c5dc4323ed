import Foundation

/// The lines of a stream of bytes, of which one that is too long is reported and skipped.
package struct LineSplitter: Sendable {
  package enum Line: Hashable, Sendable {
    case text(Data)
    case tooLong
  }

  /// The maximum length of a line in bytes.
  package static let maximumLength = 1 << 20

  private var rest = Data()
  private var isSkipping = false

  package init() {}

  /// Returns the lines that are complete with these bytes, without newlines and without empty lines.
  package mutating func add(_ bytes: some Sequence<UInt8>) -> [Line] {
    var lines: [Line] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        if isSkipping { lines.append(.tooLong) } else if !rest.allSatisfy(Self.isSpace) { lines.append(.text(rest)) }
        (rest, isSkipping) = (Data(), false)
      } else if !isSkipping {
        rest.append(byte)
        if rest.count > LineSplitter.maximumLength { (rest, isSkipping) = (Data(), true) }
      }
    }
    return lines
  }

  /// Returns what follows the last newline, at the end of input.
  package mutating func finish() -> [Line] { add([UInt8(ascii: "\n")]) }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}
