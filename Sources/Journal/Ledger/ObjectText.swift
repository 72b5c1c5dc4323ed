/// A JSON object written member by member: of what is written with every write of a batch, several times as fast as an
/// encoder of any value.
struct ObjectText {
  private var members = ""

  var text: String { "{" + members + "}" }

  mutating func add(_ name: String, _ value: String?) {
    guard let value else { return }
    begin(name)
    members += ObjectText.quoted(value)
  }

  mutating func add(_ name: String, _ value: Int?) {
    guard let value else { return }
    begin(name)
    members += String(value)
  }

  mutating func add(_ name: String, _ values: [String]) {
    begin(name)
    members += "[" + values.map(ObjectText.quoted).joined(separator: ",") + "]"
  }

  mutating func add(_ name: String, _ value: ObjectText?) {
    guard let value else { return }
    begin(name)
    members += value.text
  }

  mutating func add(_ name: String, _ values: [ObjectText]) {
    begin(name)
    members += "[" + values.map(\.text).joined(separator: ",") + "]"
  }

  private mutating func begin(_ name: String) {
    if !members.isEmpty { members += "," }
    members += "\"" + name + "\":"
  }

  private static func quoted(_ text: String) -> String {
    if !text.utf8.contains(where: isEscaped) { return "\"" + text + "\"" }
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case ..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < UInt8(ascii: " ") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
