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
