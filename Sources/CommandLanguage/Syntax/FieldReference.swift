/// A reference to a field in a bare word: `_.price` of the last product, `@3.name` of row 3 of the last listing; after
/// `raw` a part of the response, `_.pages[0].id`.
///
/// It is a word of its own or follows an operator (`price=_.price`, `price>@3.price`). A file with such a name is
/// written `@./3.name`.
enum FieldReference {
  /// Splits references from the bare parts of a word.
  ///
  /// Each becomes a variable part whose text is the reference.
  static func split(_ parts: [Word.Part]) -> [Word.Part] {
    guard
      parts.contains(where: {
        $0.kind == .bare && $0.text.utf8.contains { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
      })
    else { return parts }
    var result: [Word.Part] = []
    for (number, part) in parts.enumerated() {
      guard part.kind == .bare, part.text.unicodeScalars.count == part.range.count else {
        result.append(part)
        continue
      }
      result += split(part, isFirst: number == 0, isLast: number == parts.count - 1)
    }
    return result
  }

  /// Returns whether a text contains a reference.
  static func containsReference(_ text: String) -> Bool {
    let count = text.unicodeScalars.count
    return split([Word.Part(kind: .bare, text: text, range: 0..<count)]).contains { $0.kind == .variable }
  }

  private static func split(_ part: Word.Part, isFirst: Bool, isLast: Bool) -> [Word.Part] {
    let scalars = Array(part.text.unicodeScalars)
    var result: [Word.Part] = []
    var done = 0
    func take(_ range: Range<Int>, _ kind: Word.Kind) {
      guard !range.isEmpty else { return }
      let start = part.range.lowerBound
      result.append(
        Word.Part(
          kind: kind, text: String(scalars[range]), range: (start + range.lowerBound)..<(start + range.upperBound)
        ))
    }
    var index = 0
    while index < scalars.count {
      let begins = index == 0 ? isFirst : isSign(scalars[index - 1])
      guard begins, let end = end(of: scalars, from: index),
        end == scalars.count ? isLast : isSign(scalars[end])
      else {
        index += 1
        continue
      }
      take(done..<index, .bare)
      take(index..<end, .variable)
      (done, index) = (end, end)
    }
    take(done..<scalars.count, .bare)
    return result
  }

  private static func isSign(_ scalar: Unicode.Scalar) -> Bool { "=<>!~(),".unicodeScalars.contains(scalar) }

  /// Returns the end of `_.field` or `@3.field` that begins at `start`, or `nil`.
  private static func end(of scalars: [Unicode.Scalar], from start: Int) -> Int? {
    var index = start + 1
    switch scalars[start] {
    case "_": break
    case "@":
      while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
      guard index > start + 1 else { return nil }
    default: return nil
    }
    if scalars[start] == "_" {
      let (steps, end) = ValuePath.read(scalars, from: index, quotedKeys: false)
      return steps.isEmpty ? nil : end
    }
    guard index < scalars.count, scalars[index] == "." else { return nil }
    let name = index + 1
    index = name
    while index < scalars.count, Lexer.isName(scalars[index]) { index += 1 }
    return FieldNameTable.allEditions.field(String(scalars[name..<index])) == nil ? nil : index
  }
}
