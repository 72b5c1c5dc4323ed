/// One command of a line, cut out but not yet read: a session reads each when its turn comes, so that `let a = 1; echo $a` works.
package struct Segment: Hashable, Sendable {
  /// Before expansion.
  package var words: [Word]
  /// After `|`, and where.
  package var pipe: String?
  package var pipeRange: Range<Int>?
  /// In Unicode scalars of the line.
  package var range: Range<Int>
  /// As typed, without comments around it.
  package var text: String

  /// The first word when it is bare: a command, a prefix or an alias of the user.
  package var name: String? { words.first?.bare }
}
