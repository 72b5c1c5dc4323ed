import Text

/// A name that a command lets one assign to and that is no product field, with the values it takes.
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
