/// Words: stretches of bare text, quotes and variables, side by side.
extension Lexer {
  mutating func word() {
    let start = index
    var parts: [Word.Part] = []
    while index < scalars.count {
      let scalar = scalars[index]
      if Lexer.isBlank(scalar) || scalar == "\n" || scalar == ";" || scalar == "|" { break }
      switch scalar {
      case "'": parts.append(literal())
      case "\"": parts.append(contentsOf: quoted())
      case "\\":
        if index + 1 == scalars.count || isLineEnd(after: index) {
          joinLines()
        } else {
          parts.append(escapedBare())
        }
      case "$" where startsVariable(index): parts.append(variable())
      default: parts.append(bare())
      }
    }
    let whole = Lexer.joined(parts)
    tokens.append(.word(Word(parts: Reference.split(whole), range: start..<index)))
  }

  /// Bare text that a joined line or a plain backslash cut in two is one stretch again.
  private static func joined(_ parts: [Word.Part]) -> [Word.Part] {
    var result: [Word.Part] = []
    for part in parts {
      if part.kind == .bare, let last = result.indices.last, result[last].kind == .bare {
        // In place: a word that goes on over many lines is not copied with each of them.
        result[last].text += part.text
        result[last].range = result[last].range.lowerBound..<part.range.upperBound
      } else {
        result.append(part)
      }
    }
    return result
  }

  mutating func bare() -> Word.Part {
    let start = index
    index += 1
    while index < scalars.count {
      let scalar = scalars[index]
      if Lexer.isBlank(scalar) || "\n;|'\"\\".unicodeScalars.contains(scalar) { break }
      if scalar == "$", startsVariable(index) { break }
      index += 1
    }
    return Word.Part(kind: .bare, text: text(start..<index), range: start..<index)
  }

  private mutating func escapedBare() -> Word.Part {
    let start = index
    let next = scalars[index + 1]
    let isOrdinary = Lexer.isBlank(next) || "'\"\\;|#$".unicodeScalars.contains(next)
    index += isOrdinary ? 2 : 1
    return Word.Part(
      kind: isOrdinary ? .quoted : .bare, text: isOrdinary ? String(next) : "\\", range: start..<index)
  }

  /// `$name`, `$1`, `$@`; a dollar sign before anything else is itself.
  func startsVariable(_ index: Int) -> Bool {
    guard index + 1 < scalars.count else { return false }
    let next = scalars[index + 1]
    return Lexer.isNameStart(next) || next == "@" || ("1"..."9").contains(next)
  }

  mutating func variable() -> Word.Part {
    let start = index
    index += 2
    switch scalars[start + 1] {
    case "@": break
    case "1"..."9": while index < scalars.count, ("0"..."9").contains(scalars[index]) { index += 1 }
    default: name()
    }
    return Word.Part(kind: .variable, text: text((start + 1)..<index), range: start..<index)
  }

  /// The rest of `name` or `name.field`.
  private mutating func name() {
    while index < scalars.count, Lexer.isName(scalars[index]) { index += 1 }
    guard index + 1 < scalars.count, scalars[index] == ".", Lexer.isNameStart(scalars[index + 1]) else { return }
    index += 1
    while index < scalars.count, Lexer.isName(scalars[index]) { index += 1 }
  }
}

extension Lexer {
  /// Where the dollar signs of `$1` and `$@` stand that mean the arguments of a script.
  package var arguments: [Int] {
    tokens.flatMap { token -> [Int] in
      guard case .word(let word) = token else { return [] }
      return word.parts.filter { $0.kind == .variable && Word.isArgument($0.text) }.map(\.range.lowerBound)
    }
  }
}
