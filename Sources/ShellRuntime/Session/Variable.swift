import Catalog
import CommandLanguage
import MarketAPI
import Networking
import OrderedCollections
import Presentation
import Text

/// The value of a variable: a typed value, a product, whose number is the value and whose fields are members, or a
/// response of the server.
package struct Variable: Hashable, Sendable {
  /// The maximum size of a value in bytes.
  package static let maximumBytes = 1 << 20

  package var value: JSON
  package var product: Product?
  /// The market of the product.
  package var market: MarketIdentity?
  package var response: ResponseValue?

  /// The value as `echo` prints it.
  package var text: String { value.plainText }

  /// Creates a response, whose body is the value.
  package init(_ response: ResponseValue) {
    value = response.json ?? .string(response.text)
    self.response = response
  }

  package init(_ value: JSON) { self.value = value }

  package init(_ product: Product, of market: MarketIdentity?) {
    value = .int(product.id)
    self.product = product
    self.market = market
  }
}

/// The response to `get` or `raw` as a value: `$p.status`, `$p.headers.Content-Type`, `$p.pages[0].id`.
package struct ResponseValue: Hashable, Sendable {
  /// The request with secrets masked: `GET https://shop.example/api/products`.
  package let request: String
  package let status: Int
  /// The milliseconds from the first byte sent to the last one received, with one decimal.
  package let milliseconds: String
  package let headers: [HeaderField]
  /// The body if it is JSON.
  package let json: JSON?
  /// The body if it is text, with secrets masked.
  package let text: String

  package init(request: String, status: Int, took: Duration, headers: [HeaderField], json: JSON?, text: String) {
    self.request = request
    self.status = status
    let tenths = took.components.seconds * 10_000 + took.components.attoseconds / 100_000_000_000_000
    milliseconds = "\(tenths / 10).\(tenths % 10)"
    self.headers = headers
    self.json = json
    self.text = text
  }

  package var body: String { json?.serialized ?? text }

  /// The request, status, headers and beginning of the body, as shown in a test report.
  package var described: String {
    let head = ["> " + request, "< HTTP/1.1 " + HTTPStatus.described(status)]
    let fields = headers.map { "< \($0.name): \($0.value)" }
    let beginning =
      String(text.prefix(ResponseValue.describedLength)) + (text.count > ResponseValue.describedLength ? "…" : "")
    let lines = head + fields + ["<"] + beginning.split(separator: "\n").map { "< " + $0 }
    return lines.map { Sanitizer.sanitized($0, limit: .max) + "\n" }.joined()
  }

  private static let describedLength = 4_000

  /// The headers by name in their order, with the values of a repeated one joined (RFC 9110 section 5.3).
  private var joinedHeaders: OrderedDictionary<String, HeaderField> {
    headers.reduce(into: [:]) { result, header in
      let key = header.name.lowercased()
      result[key] = HeaderField(
        result[key]?.name ?? header.name, (result[key].map { $0.value + ", " } ?? "") + header.value)
    }
  }

  /// Returns the value at a path, or `.missing`.
  ///
  /// - Parameters:
  ///   - name: The variable as it is written: `$p`, `_`.
  ///   - isMember: Whether the path begins with a bracket, so that it leads into the JSON: `["status"]`.
  package func value(at path: ValuePath, named name: String, isMember: Bool = false) -> NamedValue {
    func named(_ json: JSON?, steps: some Collection<ValuePath.Step>, name: String) -> NamedValue {
      guard steps.contains(.every) else { return json?.value(at: steps).map { .value($0) } ?? .missing }
      return json?.elements(at: steps, named: name).map { .elements($0) } ?? .missing
    }
    if isMember { return named(json, steps: path.steps, name: name) }
    let rest = path.steps.dropFirst()
    switch path.steps.first {
    case nil: return .value(json ?? .string(text))
    case .key("status") where rest.isEmpty: return .value(.int(status))
    case .key("ms") where rest.isEmpty: return NamedValue(word: milliseconds)
    case .key("headers"):
      if rest.isEmpty { return .value(.object(joinedHeaders.values.map { ($0.name, .string($0.value)) })) }
      guard case .key(let name)? = rest.first, rest.count == 1, let header = joinedHeaders[name.lowercased()]
      else { return .missing }
      return .value(.string(header.value))
    case .key("body") where json?.object?["body"] == nil:
      return rest.isEmpty ? .value(json ?? .string(text)) : named(json, steps: rest, name: name + ".body")
    case .key, .index, .every: return named(json, steps: path.steps, name: name)
    }
  }

  /// Returns the continuations of a path, for completion.
  package func memberPaths(after path: ValuePath) -> [String] {
    if path.steps.isEmpty {
      return [".status", ".ms", ".headers"] + ResponseValue.steps(into: json)
    }
    if path.steps == [.key("headers")] { return headers.map { "." + $0.name } }
    return ResponseValue.steps(into: json?.value(at: path.steps))
  }

  /// Returns the steps that continue from a value: its members, or the elements of an array.
  package static func steps(into json: JSON?) -> [String] {
    switch json {
    case .object(let object): return object.keys.map { ValuePath.text(.key($0)) }
    case .array(let elements):
      return [".length", "[-1]", "[*]"] + elements.indices.prefix(20).map { "[\($0)]" }
    case .null, .bool, .number, .string, .invalidLiteral, nil: return []
    }
  }
}

extension Session {
  /// Returns the response that a variable contains, or that `_` contains after `raw` until a product is shown.
  package func lastResponse(_ name: String) -> ResponseValue? {
    name == "_" ? last.response : variables[name]?.response
  }
}

extension Session {
  /// Returns the typed value of a variable, or `nil` if it isn't defined.
  ///
  /// A response, an array or an object can be followed by a path: `p.pages[0].id`. In addition to the user's variables
  /// there are `_` and `_.price` of the last product, `@3.name` of the last listing, and, unless the user assigned
  /// them, `count`, `total`, `page` and `pages` of the last listing and `status` of the last response.
  package func value(of name: String) -> NamedValue? {
    if let variable = variables[name] { return .value(variable.value) }
    let (root, rest) = ValuePath.split(name)
    if let response = lastResponse(root) {
      return ValuePath(rest).map {
        response.value(at: $0, named: Session.written(root), isMember: rest.hasPrefix("["))
      }
    }
    if !rest.isEmpty, let value = variables[root]?.value, value.array != nil || value.object != nil {
      return ValuePath(rest).map { path in
        if path.hasEvery {
          return value.elements(at: path.steps, named: Session.written(root)).map { .elements($0) } ?? .missing
        }
        return value.value(at: path.steps).map { .value($0) } ?? .missing
      }
    }
    switch name {
    case "_": return last.product.map { .value(.int($0.id)) }
    case "count": return listing.last.map { .value(.int($0.page.products.count)) }
    case "total": return listing.last?.page.total.map { .value(.int($0)) }
    case "page": return listing.last.map { .value(.int($0.page.number)) }
    case "pages": return listing.last?.page.last.map { .value(.int($0)) }
    case "status": return last.httpStatus.map { .value(.int($0)) }
    default: break
    }
    guard let dot = name.firstIndex(of: "."),
      let field = server.fieldNames.field(String(name[name.index(after: dot)...])),
      let product = product(String(name[..<dot]))
    else { return nil }
    return product.value(of: field).map { .value($0) } ?? .missing
  }

  private static func written(_ root: String) -> String { root == "_" ? root : "$" + root }

  /// Returns the product of `_`, of `@3` or of a variable, as it was last read.
  package func product(_ name: String) -> Product? {
    if name == "_" { return last.product }
    guard name.hasPrefix("@") else { return variables[name]?.product }
    guard let number = Int(name.dropFirst()), let products = listing.last?.page.products,
      products.indices.contains(number - 1)
    else { return nil }
    return products[number - 1]
  }

  /// Returns the market of the product of `_`, of `@3` or of a variable, or of one of its fields, and the name of the
  /// product in messages; `nil` if the name has no product.
  package func reference(in name: String) -> (name: String, market: MarketIdentity)? {
    let root = String(name.prefix { $0 != "." && $0 != "[" })
    if root == "_" { return last.product == nil ? nil : last.market.map { ("_", $0) } }
    if root.hasPrefix("@") { return listing.market.map { ("@", $0) } }
    guard let variable = variables[root], variable.product != nil else { return nil }
    return variable.market.map { ("$" + root, $0) }
  }
}

extension Product {
  /// Returns the typed value of a field, or `nil` if the edition doesn't provide it.
  package func value(of field: ProductField) -> JSON? {
    text(of: field).map { field.isNumber ? JSON(word: $0) : .string($0) }
  }
}

extension Session {
  private static let maximumVendors = 1000

  /// Makes `product` the last one, and updates it in the stored listing.
  package mutating func remember(_ product: Product) {
    setLast(product)
    addToCompletion(product)
    guard listing.scan != nil || listing.last != nil, isListingOfMarket else { return }
    if let row = listing.scan?.listing.page.products.firstIndex(where: { $0.id == product.id }),
      let old = listing.scan?.listing.page.products[row]
    {
      listing.scan?.listing.page.products[row] = product.listRow(like: old)
    }
    guard let row = listing.last?.page.products.firstIndex(where: { $0.id == product.id }),
      let old = listing.last?.page.products[row]
    else { return }
    listing.last?.page.products[row] = product.listRow(like: old)
  }

  /// Makes a listing the one that `@3` refers to.
  ///
  /// - Parameter market: The market of a stored listing, or `nil` for one that was read now.
  package mutating func remember(_ listing: Listing, of market: MarketIdentity? = nil) {
    let market = market ?? self.market
    if let old = self.listing.market, !market.isSame(as: old) { self.listing.scan = nil }
    self.listing.last = listing
    self.listing.market = market
    // The first row counts as seen last, so that completion offers it first.
    for product in listing.page.products.reversed() where completion.products != nil { addToCompletion(product) }
  }

  /// Removes a deleted product from the listing and from `_`.
  package mutating func recordDeleted(_ id: Product.ID) {
    if last.product?.id == id { last.product = nil }
    completion.products?.remove(id)
    guard isListingOfMarket else { return }
    if listing.scan?.listing.page.products.contains(where: { $0.id == id }) == true {
      listing.scan?.deletedIDs.insert(id)
    }
    guard let row = listing.last?.page.products.firstIndex(where: { $0.id == id }) else { return }
    listing.last?.page.products.remove(at: row)
    if let total = listing.last?.page.total { listing.last?.page.total = max(0, total - 1) }
  }

  /// Adds a new product at the top of a first page that shows everything, newest first.
  package mutating func recordCreated(_ product: Product) {
    setLast(product)
    createdProductIDs.append(product.id)
    addToCompletion(product)
    guard isListingOfMarket, var page = listing.last?.page, page.number == 1, listing.query.search == nil else {
      return
    }
    page.products.insert(product.listRow(like: page.products.first ?? product), at: 0)
    if let size = page.size, page.products.count > size { page.products.removeLast() }
    if let total = page.total { page.total = total + 1 }
    listing.last?.page = page
  }

  private mutating func setLast(_ product: Product) {
    last.product = product
    last.market = market
    last.response = nil
  }

  /// A Boolean value that is false if the market was reset since the last listing, or if another one is at its address.
  package var isListingOfMarket: Bool { listing.market.map { market.isSame(as: $0) } ?? true }

  private mutating func addToCompletion(_ product: Product) {
    completion.products?.insert(product.id, product.name ?? "")
    if let vendor = product.vendorID {
      if vendor == credentials.vendorID {
        completion.ownProductIDs.insert(product.id)
      } else {
        completion.ownProductIDs.remove(product.id)
      }
    }
    remember(vendor: product.vendor)
  }

  /// Remembers the name of a vendor that was shown.
  package mutating func remember(vendor name: String?) {
    guard let name, !name.isEmpty, completion.vendors.count < Session.maximumVendors else { return }
    completion.vendors.append(name)
  }
}

extension Product {
  /// Returns the product with the fields that a row of a list contains.
  ///
  /// Rows have no pictures, and in some editions no description.
  fileprivate func listRow(like row: Product) -> Product {
    var copy = self
    copy.images = nil
    if row.description == nil { copy.description = nil }
    copy.vendor = vendor ?? row.vendor
    return copy
  }
}
