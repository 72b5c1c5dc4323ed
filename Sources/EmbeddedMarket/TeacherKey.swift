/// The key that opens the teacher's pages, generated at each start.
package struct TeacherKey: Hashable, Sendable {
  /// 26 letters and digits with 128 random bits.
  package let text: String

  /// The letters of Crockford's base 32 in lower case, which has no letters that look alike.
  private static let letters = Array("0123456789abcdefghjkmnpqrstvwxyz")

  package init(using random: inout some RandomNumberGenerator) {
    text = String((0..<26).map { _ in TeacherKey.letters[Int.random(in: 0..<32, using: &random)] })
  }

  /// Returns whether a text is the key, in a time that doesn't depend on where they differ.
  package func matches(_ other: String?) -> Bool {
    let (mine, given) = (Array(text.utf8), Array((other ?? "").utf8))
    guard given.count == mine.count else { return false }
    return zip(mine, given).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}
