/// A value that must appear nowhere: it has no description, no encoding, and is found and masked wherever it was used.
package struct Secret: Hashable, Sendable {
  private let value: String

  /// Refuses what could break out of a header or a line: control characters and anything outside printable ASCII.
  package init?(_ value: String) {
    guard !value.isEmpty, value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return nil }
    self.value = value
  }

  /// A password, which goes into a body and never into a header: any text of one line.
  package init?(password value: String) {
    guard !value.isEmpty, value.utf8.count <= 1_000, !value.unicodeScalars.contains(where: Secret.breaks) else {
      return nil
    }
    self.value = value
  }

  private static func breaks(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }

  /// The value itself, for the one place that puts it on the wire.
  package func reveal() -> String { value }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { Secret.mask }
  package var debugDescription: String { Secret.mask }
  package var customMirror: Mirror { Mirror(self, children: []) }
  package static let mask = "•••"
}

/// A secret and the shell variable that a curl line reads it from, `OPENMARKET_SECRET`.
package struct NamedSecret: Hashable, Sendable {
  package var variable: String
  package var secret: Secret
  package init(_ variable: String, _ secret: Secret) {
    self.variable = variable
    self.secret = secret
  }
}
