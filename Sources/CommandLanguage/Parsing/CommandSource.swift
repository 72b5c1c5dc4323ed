/// A command of a line that hasn't been parsed yet.
///
/// A session parses each one when it is run, so that `let a = 1; echo $a` works.
package struct CommandSource: Hashable, Sendable {
  /// The words before variables are expanded.
  package var words: [Word]
  /// The text after `|`, and its range.
  package var pipe: String?
  package var pipeRange: Range<Int>?
  /// The range in Unicode scalars of the line.
  package var range: Range<Int>
  /// The text as typed, without surrounding comments.
  package var text: String

  /// The first word if it is bare: a command, a prefix or an alias.
  package var name: String? { words.first?.bare }
}
