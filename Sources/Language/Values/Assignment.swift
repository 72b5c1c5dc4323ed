/// `field=value`, as typed; what the value means is decided by the command.
package struct Assignment: Hashable, Sendable {
  package enum Operator: String, Hashable, Sendable, CaseIterable {
    case set = "="
    case add = "+="
    case subtract = "-="
    case multiply = "*="
  }

  package var name: String
  package var operation: Operator
  package var value: String
  /// `@path` as a value, unquoted: read the file (`@-` standard input). `value` is then the path.
  package var isFile: Bool
  /// The value stands in quotes: a text, even where it looks like a number.
  package var isQuoted = false
  /// Where it stands in the line, in characters.
  package var range: Range<Int>

  package init(_ name: String, _ operation: Operator, _ value: String, isFile: Bool = false, range: Range<Int>) {
    self.name = name
    self.operation = operation
    self.value = value
    self.isFile = isFile
    self.range = range
  }
}
