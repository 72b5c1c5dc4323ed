/// A piece of an expression: signs cut words apart, quoted text never does.
struct ExpressionToken: Hashable {
  enum Kind: Hashable {
    case comparison(Comparison)
    case open
    case close
    case comma
    /// A field, a keyword or a value; only bare text can be the first two.
    case text(String, isBare: Bool, isUnknown: Bool)
  }

  var kind: Kind
  var range: Range<Int>
  /// Which of the words it is in.
  var word: Int
  /// Nothing of that word comes after it.
  var endsWord = false

  /// The text when typed bare.
  var bare: String? {
    if case .text(let text, isBare: true, _) = kind { return text }
    return nil
  }

  static func cut(_ words: ArraySlice<Word>) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    for (number, word) in words.enumerated() {
      tokens.append(contentsOf: cut(word, number))
      if !tokens.isEmpty { tokens[tokens.count - 1].endsWord = true }
    }
    return tokens
  }

  private static func cut(_ word: Word, _ number: Int) -> [ExpressionToken] {
    var tokens: [ExpressionToken] = []
    var text = ""
    var isBare = true
    var start: Int?
    var end = word.range.lowerBound
    func flush() {
      guard let from = start else { return }
      let kind = Kind.text(text, isBare: isBare, isUnknown: word.isUnknown && !isBare)
      tokens.append(ExpressionToken(kind: kind, range: from..<end, word: number))
      text = ""
      isBare = true
      start = nil
    }
    for part in word.parts {
      guard part.kind == .bare else {
        start = start ?? part.range.lowerBound
        text += part.text
        isBare = false
        end = part.range.upperBound
        continue
      }
      let scalars = Array(part.text.unicodeScalars)
      var index = 0
      while index < scalars.count {
        let place = part.range.lowerBound + index
        if let (kind, length) = sign(scalars[index...]) {
          flush()
          tokens.append(ExpressionToken(kind: kind, range: place..<place + length, word: number))
          index += length
        } else {
          start = start ?? place
          text.unicodeScalars.append(scalars[index])
          index += 1
          end = place + 1
        }
      }
    }
    flush()
    return tokens
  }

  private static func sign(_ scalars: ArraySlice<Unicode.Scalar>) -> (Kind, Int)? {
    guard let first = scalars.first else { return nil }
    let second = scalars.dropFirst().first
    switch first {
    case "(": return (.open, 1)
    case ")": return (.close, 1)
    case ",": return (.comma, 1)
    case "=": return (.comparison(.equal), second == "=" ? 2 : 1)
    case "~": return (.comparison(.contains), 1)
    case "<": return second == "=" ? (.comparison(.atMost), 2) : (.comparison(.less), 1)
    case ">": return second == "=" ? (.comparison(.atLeast), 2) : (.comparison(.more), 1)
    case "!" where second == "=": return (.comparison(.different), 2)
    case "!" where second == "~": return (.comparison(.lacks), 2)
    default: return nil
    }
  }
}
