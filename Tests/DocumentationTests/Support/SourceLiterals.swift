import Foundation

/// A string literal of a Swift source file: of one line, of several, or raw.
struct SourceLiteral {
  /// A piece of a literal: fixed text as it is written, or the expression of an interpolation.
  enum Part: Hashable {
    case fixed(String)
    case expression(String)
  }

  let parts: [Part]
  /// The source between the literal before and this one.
  let before: String

  /// The literal as it is written, without its quotes and, if it has several lines, without their indentation.
  var text: String {
    parts.map { part in
      switch part {
      case .fixed(let text): text
      case .expression(let code): "\\(\(code))"
      }
    }.joined()
  }

  /// The fixed text alone.
  var fixed: String {
    parts.map { part in
      if case .fixed(let text) = part { text } else { "" }
    }.joined()
  }

  /// The parts of a literal that is given without its quotes.
  static func parts(of text: String) -> [Part] {
    var reader = Reader(Array("\"\(text)\"".utf8))
    return reader.all().last?.parts ?? []
  }

  /// The literals of a source in their order; a literal inside an interpolation is not listed.
  static func all(in source: String) -> [SourceLiteral] {
    var reader = Reader(Array(source.utf8))
    return reader.all()
  }
}

/// Finds literals in the bytes of a source. Comments and regular expressions are passed over.
private struct Reader {
  private let bytes: [UInt8]
  private var index = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func all() -> [SourceLiteral] {
    var result: [SourceLiteral] = []
    var end = 0
    while let start = nextLiteral() {
      let before = text(end..<start)
      result.append(SourceLiteral(parts: literal(), before: before))
      end = index
    }
    return result
  }

  /// Moves to the next opening quote or its number signs, and returns its position.
  private mutating func nextLiteral() -> Int? {
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "/") where isAt("//"): skip(past: "\n")
      case UInt8(ascii: "/") where isAt("/*"): skip(past: "*/")
      case UInt8(ascii: "/") where isExpression: skipExpression(hashes: 0)
      case UInt8(ascii: "#") where byte(index + hashes) == UInt8(ascii: "\""): return index
      case UInt8(ascii: "#") where byte(index + hashes) == UInt8(ascii: "/"): skipExpression(hashes: hashes)
      case UInt8(ascii: "\""): return index
      default: index += 1
      }
    }
    return nil
  }

  /// Reads the literal at the position.
  private mutating func literal() -> [SourceLiteral.Part] {
    let hashes = hashes
    index += hashes
    let isLong = isAt("\"\"\"")
    let close = Array((isLong ? "\"\"\"" : "\"").utf8) + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let escape = [UInt8(ascii: "\\")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    index += isLong ? 3 : 1
    var parts: [SourceLiteral.Part] = []
    var start = index
    func fixed(_ range: Range<Int>) -> [SourceLiteral.Part] { range.isEmpty ? [] : [.fixed(text(range))] }
    while index < bytes.count, !isAt(close) {
      if !isLong, bytes[index] == UInt8(ascii: "\n") { break }
      guard isAt(escape) else {
        index += 1
        continue
      }
      guard byte(index + escape.count) == UInt8(ascii: "(") else {
        index += escape.count + 1
        continue
      }
      parts += fixed(start..<index)
      index += escape.count + 1
      let first = index
      skipInterpolation()
      parts.append(.expression(text(first..<index)))
      index += 1
      start = index
    }
    parts += fixed(start..<min(index, bytes.count))
    index += close.count
    return isLong ? Reader.unindented(parts) : parts
  }

  /// Moves to the bracket that closes an interpolation.
  private mutating func skipInterpolation() {
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "("): depth += 1
      case UInt8(ascii: ")"):
        if depth == 0 { return }
        depth -= 1
      case UInt8(ascii: "\""):
        _ = literal()
        continue
      default: break
      }
      index += 1
    }
  }

  /// A slash after an opening bracket, a comma, a colon or an equals sign begins a regular expression.
  private var isExpression: Bool {
    guard let next = byte(index + 1), next != UInt8(ascii: " "), next != UInt8(ascii: "\n") else { return false }
    var previous = index - 1
    while previous >= 0, bytes[previous] == UInt8(ascii: " ") { previous -= 1 }
    return previous >= 0 && "(,:=[".utf8.contains(bytes[previous])
  }

  private mutating func skipExpression(hashes: Int) {
    let close = [UInt8(ascii: "/")] + [UInt8](repeating: UInt8(ascii: "#"), count: hashes)
    let start = index
    index += hashes + 1
    while index < bytes.count, !isAt(close) {
      if hashes == 0, bytes[index] == UInt8(ascii: "\n") {
        index = start + 1
        return
      }
      index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
    }
    index += close.count
  }

  private var hashes: Int { bytes[index...].prefix { $0 == UInt8(ascii: "#") }.count }

  private func byte(_ index: Int) -> UInt8? { index < bytes.count ? bytes[index] : nil }

  private func isAt(_ text: String) -> Bool { bytes[index...].starts(with: text.utf8) }
  private func isAt(_ text: [UInt8]) -> Bool { bytes[index...].starts(with: text) }

  private mutating func skip(past end: String) {
    while index < bytes.count, !isAt(end) { index += 1 }
    index += end.utf8.count
  }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// Removes the indentation of a literal of several lines, and the line breaks at its ends.
  private static func unindented(_ parts: [SourceLiteral.Part]) -> [SourceLiteral.Part] {
    parts.enumerated().map { position, part in
      guard case .fixed(var text) = part else { return part }
      text = text.replacing(/\n +/, with: "\n")
      if position == 0, text.hasPrefix("\n") { text.removeFirst() }
      if position == parts.count - 1, text.hasSuffix("\n") { text.removeLast() }
      return .fixed(text)
    }
  }
}
