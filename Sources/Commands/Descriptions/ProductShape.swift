import Catalog
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The id of a product, as a row or a single product has it.
struct IDGuess {
  let pointer: JSONPointer
  let shape: ValueShape

  private static let names = ["id", "productid", "productno", "itemid", "itemno", "goodsno", "pk", "상품번호", "번호"]

  /// Finds the id, or returns `nil`.
  ///
  /// - Parameter parameter: The name of the parameter in the path of the request for one product.
  init?(of product: ValueShape, parameter: String? = nil) {
    func member(_ names: [String]) -> ValueShape.Member? { product.members.first(called: names, by: \.name) }
    // Strapi reads a product by its documentId, although it has an id.
    let wanted = ["documentid"] + (parameter.map { [$0.synonymKey] } ?? [])
    let exact = product.members.first { $0.name == "id" }
    guard let found = member(wanted) ?? exact ?? member(IDGuess.names) else { return nil }
    pointer = JSONPointer.root.appending(found.name)
    shape = found.shape
  }

  /// - Throws: `CommandError` for an id that isn't an integer.
  func check() throws(CommandError) {
    guard !shape.canBeWhole, !(shape.values.isEmpty && shape.kinds.contains(.integer)) else { return }
    throw .underivable(
      LocalizedText(
        "The ids are not whole numbers: \(.foreign(pointer.description)).",
        ko: "번호가 정수가 아닙니다: \(.foreign(pointer.description))."),
      LocalizedText("Ids that are texts are not supported.", ko: "텍스트인 번호는 지원하지 않습니다."))
  }
}

/// The place of the list in a response.
struct ListGuess {
  let records: JSONPointer
  let row: ValueShape
  /// The other lists of objects in the response.
  private(set) var others: [JSONPointer] = []

  private static let names = [
    "products", "items", "results", "data", "records", "rows", "content", "objects", "list", "docs", "entries", "hits",
    "goods", "values", "상품",
  ]
  private static let maximumCount = 12

  /// Finds the list, or returns `nil` if the response has none of objects.
  init?(in response: ValueShape) {
    if let element = response.element, response.isList {
      (records, row) = (.root, element)
      return
    }
    let places = ShapePlace.all(in: response).filter { $0.shape.isList && $0.pointer.arrays.isEmpty }
    let ranked = places.prefix(ListGuess.maximumCount).enumerated().compactMap { index, place -> ([Int], ShapePlace)? in
      guard let element = place.shape.element else { return nil }
      let name = place.words.last ?? ""
      let order = [
        element.isProduct ? 0 : 1, place.pointer.tokens.count, ListGuess.names.firstIndex(of: name) ?? 99, index,
      ]
      return (order, place)
    }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
    guard let best = ranked.first?.1, let element = best.shape.element else { return nil }
    (records, row) = (best.pointer, element)
    others = ranked.dropFirst().map(\.1.pointer)
  }

  var reason: LocalizedText {
    if records == .root { return LocalizedText("the body is the list", ko: "본문이 목록") }
    guard !others.isEmpty else { return LocalizedText("the only list of objects", ko: "하나뿐인 객체 목록") }
    let list = others.prefix(3).map { DescriptionDraft.cited($0.description) }.joined(separator: ", ")
    return LocalizedText("other lists of objects: \(list)", ko: "다른 객체 목록: \(list)")
  }
}

/// The place of one product in a response, or in the body of a request.
struct RecordGuess {
  let pointer: JSONPointer
  let shape: ValueShape

  /// Finds the product; if nothing looks like one, it is the body itself.
  ///
  /// - Parameter isRequest: Whether the body is that of a request, in which a product needs no id.
  init(in body: ValueShape, isRequest: Bool = false) {
    func isOne(_ shape: ValueShape) -> Bool { isRequest ? shape.hasName : shape.isProduct }
    if !isOne(body) {
      if let element = body.element, isOne(element) {
        (pointer, shape) = (JSONPointer.root.appending("0"), element)
        return
      }
      for place in ShapePlace.all(in: body, depth: 2).prefix(40) where place.pointer.arrays.isEmpty {
        if isOne(place.shape) {
          (pointer, shape) = (place.pointer, place.shape)
          return
        }
        if let element = place.shape.element, isOne(element) {
          (pointer, shape) = (place.pointer.appending("0"), element)
          return
        }
      }
    }
    (pointer, shape) = (.root, body)
  }
}

extension ValueShape {
  /// A Boolean value that indicates an object with an id and a name.
  var isProduct: Bool {
    kinds.contains(.object) && IDGuess(of: self) != nil && hasName
  }

  /// A Boolean value that indicates an object with a name, possibly among its attributes.
  var hasName: Bool {
    let inside = members.first { ["attributes", "fields"].contains($0.name) }?.shape.members ?? []
    return (members + inside).contains { FieldNames.isName($0.name, $0.shape) }
  }

  /// The names of the members, for a message.
  var memberNames: LocalizedText {
    let names = members.prefix(12).map { JSONPointer.root.appending($0.name).description }.joined(separator: ", ")
    return members.isEmpty
      ? LocalizedText("It has no members.", ko: "멤버가 없습니다.")
      : LocalizedText("It has \(.foreign(names)).", ko: "있는 멤버: \(.foreign(names)).")
  }
}

extension CommandError {
  /// The error for a document of which no description can be made.
  static func underivable(
    _ what: LocalizedText, _ reason: LocalizedText? = nil, next step: LocalizedText? = nil
  ) -> CommandError {
    var message = Message(.failure, what)
    if let reason { message = message.because(reason) }
    if let step { message = message.next(step) }
    return CommandError(.usageError, message, code: .badFile)
  }
}
