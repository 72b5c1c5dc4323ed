import Foundation

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
