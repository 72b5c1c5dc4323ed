import FoundationEssentials

extension StoredExchange: JSONObjectEncodable {
  /// The exchange as one line of JSON, as stored in the journal.
  package var json: String { JSONObjectWriter(self).text }

  /// The JSON in UTF-8.
  package var bytes: Data { Data(JSONObjectWriter(self).bytes) }

  func encode(to object: inout JSONObjectWriter) {
    object.add("attempt", attempt)
    object.add("base", base)
    object.add("duration", duration)
    object.add("failure", failure)
    object.add("phases") { times in
      for (name, time) in phases.sorted(by: { $0.key < $1.key }) { times.add(name, time) }
    }
    object.add("reply", reply)
    object.add("request", request)
    object.add("started", Int(started))
  }
}

extension StoredExchange.Request: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("body", body)
    object.add("headers", headers)
    object.add("method", method)
    object.add("path", path)
    object.add("query", query)
  }
}

extension StoredExchange.Response: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("body", body)
    object.add("headers", headers)
    object.add("status", status)
  }
}

extension StoredExchange.NameValue: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("name", name)
    object.add("value", value)
  }
}

extension StoredExchange.Part: JSONObjectEncodable {
  func encode(to object: inout JSONObjectWriter) {
    object.add("fileName", fileName)
    object.add("name", name)
    object.add("sha256", sha256)
    object.add("size", size)
    object.add("text", text)
    object.add("type", type)
  }
}

extension StoredExchange.Body: JSONObjectEncodable {
  /// Writes `{"text":…,"type":…,"size":…}`, without `text` for binary data; `{"parts":[…]}` for a form; `{}` for an
  /// empty body.
  func encode(to object: inout JSONObjectWriter) {
    switch self {
    case .none: break
    case .text(let text, let type, let size):
      object.add("size", size)
      object.add("text", text)
      object.add("type", type)
    case .bytes(let type, let size, let sha256):
      object.add("sha256", sha256)
      object.add("size", size)
      object.add("type", type)
    case .form(let parts): object.add("parts", parts)
    }
  }
}

extension StoredExchange.Body: Decodable {
  private enum Key: String, CodingKey {
    case text
    case type
    case size
    case sha256
    case parts
  }

  /// Decodes a body.
  ///
  /// - Throws: `DecodingError`.
  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Key.self)
    let type = try container.decodeIfPresent(String.self, forKey: .type)
    let size = try container.decodeIfPresent(Int.self, forKey: .size)
    if let parts = try container.decodeIfPresent([StoredExchange.Part].self, forKey: .parts) {
      self = .form(parts)
    } else if let text = try container.decodeIfPresent(String.self, forKey: .text) {
      self = .text(text, type: type, size: size ?? text.utf8.count)
    } else if let size {
      self = .bytes(type: type, size: size, sha256: try container.decodeIfPresent(String.self, forKey: .sha256))
    } else {
      self = .none
    }
  }
}
