extension KeptExchange.Body: Decodable {
  private enum Key: String, CodingKey {
    case text
    case type
    case size
    case parts
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
