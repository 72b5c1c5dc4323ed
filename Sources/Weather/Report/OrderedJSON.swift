import Networking

/// JSON whose keys stay in the order they were written, compact, in UTF-8.
enum OrderedJSON {
  case null
  case flag(Bool)
  case number(Double, decimals: Int)
  case text(String)
  case list([OrderedJSON])
  case object([(String, OrderedJSON)])

  static func text(_ text: String?) -> OrderedJSON { text.map { .text($0) } ?? .null }
  static func whole(_ number: Int?) -> OrderedJSON { number.map { .number(Double($0), decimals: 0) } ?? .null }
  static func decimal(_ number: Double?, _ decimals: Int = 2) -> OrderedJSON {
    number.map { .number($0, decimals: decimals) } ?? .null
  }

  var written: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number, let decimals):
      number.isFinite && abs(number) < 1e15 ? Figures.short(number, decimals) : "null"
    case .text(let text): OrderedJSON.quoted(text)
    case .list(let elements): "[" + elements.map(\.written).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { OrderedJSON.quoted($0.0) + ":" + $0.1.written }.joined(separator: ",") + "}"
    }
  }

  /// What cannot be seen stands as an escape, so that a terminal stays calm.
  private static func quoted(_ text: String) -> String { JSON.unseenEscaped("\"\(JSON.escaped(text))\"") }
}
