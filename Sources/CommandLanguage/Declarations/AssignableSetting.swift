import Text

/// A name other than a product field that a command accepts in an assignment, with the kind of its values.
package struct AssignableSetting: Hashable, Sendable, ExpressibleByStringLiteral {
  package let name: String
  package let summary: LocalizedText?
  package let kind: ValueKind

  package init(_ name: String, _ summary: LocalizedText?, _ kind: ValueKind) {
    self.name = name
    self.summary = summary
    self.kind = kind
  }

  package init(stringLiteral name: String) { self.init(name, nil, .text) }
}
