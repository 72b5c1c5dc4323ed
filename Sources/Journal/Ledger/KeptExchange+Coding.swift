extension KeptExchange.Body: Codable {
  private enum Key: String, CodingKey {
    case text
    case type
    case size
    case parts
  }

  /// `{"text":…,"type":…,"size":…}`, without `text` for bytes, `{"parts":[…]}` for a form, `{}` for nothing.
  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Key.self)
    switch self {
    case .none: break
    case .text(let text, let type, let size):
      try container.encode(text, forKey: .text)
      try container.encodeIfPresent(type, forKey: .type)
      try container.encode(size, forKey: .size)
    case .bytes(let type, let size):
      try container.encodeIfPresent(type, forKey: .type)
      try container.encode(size, forKey: .size)
    case .form(let parts): try container.encode(parts, forKey: .parts)
    }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let type = try container.decodeIfPresent(String.self, forKey: .type)
    let size = try container.decodeIfPresent(Int.self, forKey: .size)
    if let parts = try container.decodeIfPresent([KeptExchange.Part].self, forKey: .parts) {
      self = .form(parts)
    } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text, type: type, size: size ?? text.utf8.count)
    } else if let size {
      self = .bytes(type: type, size: size)
    } else {
      self = .none
    }
  }
}
