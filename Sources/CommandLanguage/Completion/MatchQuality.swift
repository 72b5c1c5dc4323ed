import Text

/// The closeness of a word to the typed text.
enum MatchQuality: Comparable {
  case prefix
  /// A part of the word begins with the typed text: `page-size` for `size`.
  case partBeginning
  /// The word contains the typed text.
  case substring
  /// The word contains the typed characters in their order, with `gaps` other characters between them.
  case subsequence(gaps: Int)

  /// Returns `nil` if the word isn't close to the typed text.
  ///
  /// A single character matches only the beginning of a word.
  init?(of text: String, to typed: String) {
    let (whole, part) = (text.nfcNormalized, typed.nfcNormalized)
    if whole.hasPrefix(part) {
      self = .prefix
      return
    }
    guard part.count > 1, !part.hasPrefix("-"), !part.hasPrefix("$"), !part.hasPrefix("@") else { return nil }
    let (small, wanted) = (whole.lowercased(), part.lowercased())
    if let index = small.firstRange(of: wanted)?.lowerBound {
      let before = index > small.startIndex ? small[small.index(before: index)] : " "
      self = before.isLetter || before.isNumber ? .substring : .partBeginning
    } else if let gaps = MatchQuality.gaps(in: small, lettersOf: wanted) {
      self = .subsequence(gaps: gaps)
    } else {
      return nil
    }
  }

  var isPart: Bool { self == .substring || self == .partBeginning }

  /// Returns the number of other characters between the first and the last of `wanted`, or `nil` if not all of them are
  /// found in order.
  private static func gaps(in text: String, lettersOf wanted: String) -> Int? {
    var rest = wanted[...]
    var between = 0
    for letter in text {
      guard let next = rest.first else { break }
      if letter == next {
        rest.removeFirst()
      } else if rest.count < wanted.count {
        between += 1
      }
    }
    return rest.isEmpty ? between : nil
  }
}
