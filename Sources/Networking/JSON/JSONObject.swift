/// The members of an object in their order. Of a key that is written twice the last one counts, as with the server's own
/// library (Jackson) and with JavaScript; `repeated` names such keys.
package struct JSONObject: Hashable, Sendable {
  package private(set) var keys: [String] = []
  package private(set) var repeated: [String] = []
  private var values: [String: JSON] = [:]

  package init(_ members: [(String, JSON)] = []) {
    for (key, value) in members { self[key] = value }
  }

  package subscript(key: String) -> JSON? {
    get { values[key] }
    set {
      guard let newValue else { return }
      if values.updateValue(newValue, forKey: key) == nil { keys.append(key) } else { repeated.append(key) }
    }
  }
}
