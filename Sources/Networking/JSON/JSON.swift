/// A JSON text as it was written: numbers keep their digits, objects their order, so that no value is rounded or lost on
/// the way and one bad value spoils itself alone.
package indirect enum JSON: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(JSONNumber)
  case string(String)
  case array([JSON])
  case object(JSONObject)
  /// A bare word that is no JSON (`NaN`, `0x1F`, `01`): an error of this value only.
  case odd(String)

  package static func int(_ value: Int) -> JSON { .number(JSONNumber(value)) }

  package static func object(_ members: [(String, JSON)]) -> JSON { .object(JSONObject(members)) }

  /// The object; nil for anything else.
  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The elements; nil for anything else.
  package var array: [JSON]? {
    if case .array(let elements) = self { elements } else { nil }
  }
}
