import Networking

extension JSON {
  /// Returns the value at a path, or `nil` if there is none.
  ///
  /// `length` is the number of elements, members or characters of an array, an object or a text. A path with `[*]` has
  /// no value here; use `elements(at:named:)`.
  package func value(at steps: some Collection<ValuePath.Step>) -> JSON? {
    var current = self
    for step in steps {
      guard let next = current.member(step) else { return nil }
      current = next
    }
    return current
  }

  private func member(_ step: ValuePath.Step) -> JSON? {
    switch (self, step) {
    case (.object(let object), .key(let name)):
      return object[name] ?? (name == "length" ? .int(object.keys.count) : nil)
    case (.array(let elements), .index(let index)):
      let place = index < 0 ? elements.count + index : index
      return elements.indices.contains(place) ? elements[place] : nil
    case (.array(let elements), .key("length")): return .int(elements.count)
    case (.string(let text), .key("length")): return .int(text.count)
    case (.null, _), (.bool, _), (.number, _), (.string, _), (.invalidLiteral, _), (.array, _), (.object, _): return nil
    }
  }

  /// Returns the values at a path with `[*]`, or `nil` if it is applied to something other than an array.
  ///
  /// `name` is the name of this value, such as `$p`.
  package func elements(at steps: some Collection<ValuePath.Step>, named name: String) -> [NamedValue.Element]? {
    guard let star = steps.firstIndex(of: .every) else {
      let path = name + steps.map(ValuePath.text).joined()
      return [NamedValue.Element(path: path, value: value(at: steps))]
    }
    guard case .array(let values)? = value(at: steps[..<star]) else { return nil }
    let prefix = name + steps[..<star].map(ValuePath.text).joined()
    var result: [NamedValue.Element] = []
    for (index, value) in values.enumerated() {
      let rest = steps[steps.index(after: star)...]
      guard let found = value.elements(at: rest, named: "\(prefix)[\(index)]") else { return nil }
      result += found
    }
    return result
  }
}
