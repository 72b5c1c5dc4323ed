/// JSON of any shape, read without complaint: what is missing, null or of another type is simply not there.
///
/// The service writes one quantity as an integer, a float or a string from one endpoint and year to the next.
indirect enum Tree: Hashable, Sendable {
  case nothing
  case flag(Bool)
  case number(Double)
  case text(String)
  case list([Tree])
  case object([String: Tree])

  subscript(key: String) -> Tree {
    if case .object(let members) = self { members[key] ?? .nothing } else { .nothing }
  }

  var list: [Tree] {
    if case .list(let elements) = self { elements } else { [] }
  }

  var isObject: Bool {
    if case .object = self { true } else { false }
  }

  /// A finite number, also one written as a string.
  var number: Double? {
    switch self {
    case .number(let number): number.isFinite ? number : nil
    case .text(let text): Figures.number(text)
    case .nothing, .flag, .list, .object: nil
    }
  }

  /// Rounded to an integer; nil beyond ±10^12, which nothing here is.
  var whole: Int? {
    guard let number, abs(number) <= 1e12 else { return nil }
    return Int(exactly: number.rounded())
  }

  /// Text made harmless; nil for none and for nothing but blanks.
  var text: String? {
    guard case .text(let text) = self else { return nil }
    let tame = ForeignText.tame(text)
    return tame.isEmpty ? nil : tame
  }
}

extension Tree: Decodable {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int? = nil
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  init(from decoder: any Decoder) throws {
    if let members = try? decoder.container(keyedBy: Key.self) {
      var object: [String: Tree] = [:]
      for key in members.allKeys { object[key.stringValue] = try members.decode(Tree.self, forKey: key) }
      self = .object(object)
    } else if var elements = try? decoder.unkeyedContainer() {
      var list: [Tree] = []
      while !elements.isAtEnd { list.append(try elements.decode(Tree.self)) }
      self = .list(list)
    } else {
      let value = try decoder.singleValueContainer()
      if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else if let text = try? value.decode(String.self) {
        self = .text(text)
      } else if let flag = try? value.decode(Bool.self) {
        self = .flag(flag)
      } else {
        // null, or a number no Double can hold.
        self = .nothing
      }
    }
  }
}
