import Text

/// The search for the word that was probably meant by a mistyped one.
package enum SpellingSuggester {
  /// Returns the word of `known` with the smallest edit distance (insertion, deletion, replacement, transposition), or
  /// `nil` if none is close.
  ///
  /// Close means one edit for words of up to 4 characters and two for longer ones. Of two equally close words the first
  /// is returned.
  package static func closest(_ word: String, in known: [String]) -> String? {
    let typed = Array(word.lowercased().unicodeScalars)
    guard !typed.isEmpty, typed.count <= 40 else { return nil }
    let limit = typed.count <= 4 ? 1 : 2
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = distance(typed, Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, distance < best?.distance ?? Int.max, distance < candidate.unicodeScalars.count {
        best = (candidate, distance)
      }
    }
    return best?.word
  }

  /// Returns the optimal string alignment distance (Damerau-Levenshtein without overlapping transpositions).
  static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
    if abs(left.count - right.count) > 2 { return Int.max }
    if left.isEmpty || right.isEmpty { return max(left.count, right.count) }
    var rows = [Array(0...right.count)]
    for i in 1...left.count {
      var row = [i]
      for j in 1...right.count {
        let replaced = rows[i - 1][j - 1] + (left[i - 1] == right[j - 1] ? 0 : 1)
        var cost = min(rows[i - 1][j] + 1, row[j - 1] + 1, replaced)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          cost = min(cost, rows[i - 2][j - 2] + 1)
        }
        row.append(cost)
      }
      rows.append(row)
    }
    return rows[left.count][right.count]
  }
}

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
