import MarketAPI
import Networking

/// The types of a JSON value and of its parts, as a schema says or as saved values show.
struct ValueShape: Hashable, Sendable {
  /// The type of a value; null is none.
  enum Kind: Hashable, Sendable { case text, integer, number, boolean, object, array }

  /// The name and the types of a member of an object, and whether every such object has it.
  struct Member: Hashable, Sendable {
    var name: String
    var shape: ValueShape
    var isRequired = false
  }

  /// The types, of which there are several if the value differs, and none if nothing is known.
  var kinds: Set<Kind> = []
  /// The members of an object, in the order of the source.
  private(set) var members: [Member] = []
  private var indexes: [String: Int] = [:]
  private var elements: [ValueShape] = []
  /// The format of a text or number in a schema, such as `date-time`.
  var format: String?
  /// A Boolean value that indicates that requests can't set the value.
  var isReadOnly = false
  /// The saved texts and numbers; none of a schema.
  private(set) var values: [JSON] = []

  /// The shape of the elements of an array.
  var element: ValueShape? {
    get { elements.first }
    set { elements = newValue.map { [$0] } ?? [] }
  }

  init() {}

  /// The maximum number of members of an object, and of elements of an array, that are looked at.
  static let maximumCount = 300
  /// The maximum depth of a shape.
  static let maximumDepth = 12

  /// Creates the shape that all values have between them.
  init(of values: some Sequence<JSON>, depth: Int = 0) {
    var names: [String] = []
    var parts: [String: [JSON]] = [:]
    var elements: [JSON] = []
    for value in values {
      switch value {
      case .null, .invalidLiteral: break
      case .bool: kinds.insert(.boolean)
      case .number(let number):
        kinds.insert(number.literal.utf8.allSatisfy { (48...57).contains($0) || $0 == 45 } ? .integer : .number)
        self.values.append(value)
      case .string:
        kinds.insert(.text)
        self.values.append(value)
      case .array(let list):
        kinds.insert(.array)
        elements += list.prefix(ValueShape.maximumCount)
      case .object(let object):
        kinds.insert(.object)
        for name in object.keys.prefix(ValueShape.maximumCount) {
          guard let part = object[name] else { continue }
          if parts[name] == nil { names.append(name) }
          parts[name, default: []].append(part)
        }
      }
    }
    guard depth < ValueShape.maximumDepth else { return }
    if !elements.isEmpty { element = ValueShape(of: elements, depth: depth + 1) }
    for name in names { self[name] = ValueShape(of: parts[name] ?? [], depth: depth + 1) }
  }

  /// The shape of a member.
  subscript(name: String) -> ValueShape? {
    get { indexes[name].map { members[$0].shape } }
    set {
      guard let newValue else { return }
      if let index = indexes[name] {
        members[index].shape = newValue
      } else if members.count < ValueShape.maximumCount {
        indexes[name] = members.count
        members.append(Member(name: name, shape: newValue))
      }
    }
  }

  /// Sets that an object has these members always.
  mutating func require(_ names: [String]) {
    for name in names { if let index = indexes[name] { members[index].isRequired = true } }
  }

  /// Adds what another shape of the same value says.
  mutating func merge(_ other: ValueShape) {
    kinds.formUnion(other.kinds)
    format = format ?? other.format
    isReadOnly = isReadOnly || other.isReadOnly
    values += other.values
    for member in other.members {
      if var known = self[member.name] {
        known.merge(member.shape)
        self[member.name] = known
      } else {
        self[member.name] = member.shape
      }
      if member.isRequired { require([member.name]) }
    }
    if var known = element, let more = other.element {
      known.merge(more)
      element = known
    } else {
      element = element ?? other.element
    }
  }

  /// A Boolean value that indicates that nothing is known.
  var isUnknown: Bool { kinds.isEmpty }

  /// A Boolean value that indicates an array whose elements are objects.
  var isList: Bool { element?.kinds.contains(.object) ?? false }

  /// Returns the shape at a place, or `nil` if there is none.
  ///
  /// The index of an element is the same for all: an array has one shape of elements.
  func shape(at pointer: JSONPointer) -> ValueShape? {
    var shape = self
    for token in pointer.tokens {
      guard let next = shape[token] ?? (token == "0" ? shape.element : nil) else { return nil }
      shape = next
    }
    return shape
  }
}

extension ValueShape {
  /// The saved texts and numbers as they are written.
  var literals: [String] {
    values.compactMap { value in
      switch value {
      case .string(let text): text
      case .number(let number): number.literal
      default: nil
      }
    }
  }

  /// A Boolean value that indicates an integer, which a schema may also call a number, but not one of floating point.
  var canBeWhole: Bool {
    switch kinds {
    case [], [.integer]: true
    case [.number], [.integer, .number]: values.isEmpty && format == nil
    default: false
    }
  }

  /// A Boolean value that indicates a text.
  var canBeText: Bool { kinds.isEmpty || kinds == [.text] }
}

/// A value with its place in a document.
struct ShapePlace: Hashable, Sendable {
  var pointer: JSONPointer
  var shape: ValueShape
  /// The names of the members around it and its own, as the tables of synonyms spell them.
  var words: [String]

  /// The maximum number of places that are looked at.
  private static let maximumCount = 1_000

  /// Returns the members of an object, and those of the objects and of the first elements in it, the outer ones first.
  static func all(in shape: ValueShape, depth: Int = 3) -> [ShapePlace] {
    var found: [ShapePlace] = []
    var level = [ShapePlace(pointer: .root, shape: shape, words: [])]
    for _ in 0..<depth {
      var next: [ShapePlace] = []
      for place in level {
        for member in place.shape.members {
          guard found.count < maximumCount else { return found }
          let inner = ShapePlace(
            pointer: place.pointer.appending(member.name), shape: member.shape,
            words: place.words + [member.name.synonymKey])
          found.append(inner)
          next.append(inner)
          if member.shape.isList, let element = member.shape.element {
            next.append(ShapePlace(pointer: inner.pointer.appending("0"), shape: element, words: inner.words))
          }
        }
      }
      level = next
    }
    return found
  }

  /// Returns the places of a response outside of its rows.
  static func all(in response: ValueShape, outside records: JSONPointer) -> [ShapePlace] {
    // A body that is an array has nothing but its rows.
    records == .root ? [] : all(in: response).filter { !$0.pointer.isBelow(records) }
  }
}

extension String {
  /// The name of a member or parameter as the tables of synonyms spell it: lowercase letters and digits alone.
  ///
  /// It is empty for a long name, which is none of a field.
  var synonymKey: String {
    guard utf8.count <= 100 else { return "" }
    let isPart: (Unicode.Scalar) -> Bool = { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    return String(String.UnicodeScalarView(lowercased().unicodeScalars.filter(isPart)))
  }
}

extension Sequence {
  /// Returns the element whose name is the first one among the synonyms, or `nil` if no name is one of them.
  func first(called synonyms: [String], by name: (Element) -> String) -> Element? {
    compactMap { element in synonyms.rank(of: name(element)).map { (rank: $0, element: element) } }
      .min { $0.rank < $1.rank }?.element
  }
}

extension [String] {
  /// Returns the index of a name among the synonyms, which is its rank.
  func rank(of name: String) -> Int? { firstIndex(of: name.synonymKey) }
}
