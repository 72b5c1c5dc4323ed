/// Searches for delimiters by Unicode scalar.
///
/// A combining mark, a variation selector or a joiner after a delimiter makes one `Character` with it (UAX #29), so that
/// a search for the `Character` `=` finds none in `name=\u{301}`.
extension StringProtocol where SubSequence == Substring {
  /// Splits the text at a scalar.
  package func split(
    atScalar separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [Substring] {
    Substring(self).unicodeScalars
      .split(separator: separator, maxSplits: maxSplits, omittingEmptySubsequences: omittingEmptySubsequences)
      .map(Substring.init)
  }

  /// Returns the text before the first occurrence of a scalar and the text after it, or `nil` if there is none.
  package func halves(atScalar separator: Unicode.Scalar) -> (Substring, Substring)? {
    let scalars = Substring(self).unicodeScalars
    guard let index = scalars.firstIndex(of: separator) else { return nil }
    return (Substring(scalars[..<index]), Substring(scalars[scalars.index(after: index)...]))
  }

  /// Returns the text without its first scalar if that is the given one, otherwise `nil`.
  package func dropping(firstScalar scalar: Unicode.Scalar) -> Substring? {
    let scalars = Substring(self).unicodeScalars
    return scalars.first == scalar ? Substring(scalars.dropFirst()) : nil
  }
}
