import Foundation
import Synchronization

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

/// Every secret held since the program began, so that what is written down later hides the earlier ones too; made once.
package final class KnownSecrets: Sendable {
  private struct Known {
    var secrets: [NamedSecret] = []
    var masker = Masker([])
    /// The secrets that no line may be stored with, those of other profiles included.
    var typed: Set<Secret> = []
    var typedMasker = Masker([])
  }

  /// A secret of fewer bytes stands in other words by chance, and counts only as a word of its own.
  private static let shortestInWords = 4

  private let known = Mutex(Known())

  package init() {}

  /// From here on these are hidden too.
  package func add(_ secrets: [NamedSecret]) {
    known.withLock { known in
      for secret in secrets where !known.secrets.contains(secret) {
        known.secrets.append(secret)
        known.masker = Masker(known.secrets)
      }
    }
    add(typed: secrets.map(\.secret))
  }

  /// From here on no line that holds one of these is stored; they are masked in no other text.
  package func add(typed secrets: [Secret]) {
    known.withLock { known in
      guard !known.typed.isSuperset(of: secrets) else { return }
      known.typed.formUnion(secrets)
      known.typedMasker = Masker(
        known.typed.filter { $0.reveal().utf8.count >= KnownSecrets.shortestInWords }.map { NamedSecret("", $0) })
    }
  }

  /// Whether the text holds one of them, raw or encoded.
  package func stand(in text: String) -> Bool {
    let (typed, masker) = known.withLock { ($0.typed, $0.typedMasker) }
    if masker.mask(text) != text { return true }
    return typed.contains { secret in
      let value = secret.reveal()
      guard value.utf8.count < KnownSecrets.shortestInWords else { return false }
      return text.ranges(of: value).contains { range in
        let neighbours = [text[..<range.lowerBound].last, text[range.upperBound...].first]
        return !neighbours.contains { $0?.isLetter == true || $0?.isNumber == true }
      }
    }
  }

  package var all: [NamedSecret] { known.withLock { $0.secrets } }

  /// The text with `•••` in place of each of them.
  package func mask(_ text: String) -> String {
    let masker = known.withLock { $0.masker }
    return masker.mask(text)
  }
}

extension JSON {
  /// The same JSON without the secrets that its texts hold; a number is hidden only when it is a secret, for in a longer
  /// one a short password may stand by chance.
  package func masked(by masker: Masker) -> JSON {
    switch self {
    case .null, .bool: self
    case .number(let number): masker.mask(number.literal) == Secret.mask ? .string(Secret.mask) : self
    case .string(let text): .string(masker.mask(text))
    case .odd(let word): .odd(masker.mask(word))
    case .array(let elements): .array(elements.map { $0.masked(by: masker) })
    case .object(let object):
      .object(object.keys.map { (masker.mask($0), (object[$0] ?? .null).masked(by: masker)) })
    }
  }
}

/// The key in an answer that is one: the text itself, or of an address what goes beyond the request's own path.
package enum AnsweredSecret {
  /// Nil when the answer is none, or nothing in it can be one.
  package static func of(_ reply: Reply, to request: Request) -> NamedSecret? {
    guard let variable = request.answeredSecret else { return nil }
    let text = String(decoding: reply.body, as: UTF8.self)
      .trimmingCharacters(in: CharacterSet(charactersIn: "\" \t\r\n"))
    var rest = text[...]
    for segment in request.path where rest.hasPrefix("/" + segment + "/") { rest = rest.dropFirst(segment.count + 1) }
    if rest.startIndex != text.startIndex { rest = rest.dropFirst() }
    return Secret(String(rest)).map { NamedSecret(variable, $0) }
  }
}
