import HTTPTypes

/// An API that a file describes, as the server serves it.
///
/// Client and server share no types: what the client's reader finds in a file is copied into this one, and everything that
/// is sent is written by code of the server. Both follow the file, so parts such as `Login` have the cases of their
/// counterparts in the client.
package struct ServedDescription: Hashable, Sendable {
  /// The word for the API.
  package var name: String
  /// The name of the file.
  package var file: String
  /// The login that a write must have.
  package var login = Login.none
  package var id: WirePointer
  package var list: List
  package var read: Call
  package var create: Call?
  package var update: Call?
  package var delete: Call?
  package var fields: [Field: Rule] = [:]
  /// The places of the message in the body of an error, of which the first is used.
  package var messages: [WirePointer] = []
  /// The response for a product that doesn't exist.
  package var gone = Gone(status: 404)
  /// The JSON text of a product, whose members beyond the fields every product has, or `nil` for none.
  package var sample: String?
  /// The parameter with the names of the members that a client wants, or `nil` if it gets all.
  package var select: String?
  /// The members of every product; `{id}` in a text is the id of the product.
  package var extra: [Member] = []
  /// The members that the file adds to a new product. A product that was created without them has these values;
  /// `{operation}` in a text is made of its id.
  package var createValues: [Member] = []
  package var deleteResponse = DeleteResponse.product
  /// Further members of a deleted product in the response; `{now}` is the time.
  package var deletedMembers: [Member] = []
  /// Indicates that the file says that the API forgets what is written, which this server doesn't.
  package var forgetsWrites = false

  package init(name: String, file: String, id: WirePointer, list: List, read: Call) {
    (self.name, self.file, self.id, self.list, self.read) = (name, file, id, list, read)
  }

  /// The login of a write.
  package enum Login: Hashable, Sendable {
    /// Writes need no login.
    case none
    /// A vendor's identifier and secret (RFC 7617).
    case basic
    /// A vendor's secret as a token (RFC 6750).
    case bearer
    /// A vendor's secret in a header field, after a prefix.
    case header(name: String, prefix: String)
    /// A vendor's secret in the query.
    case query(name: String)
  }

  /// The fields of a product.
  package enum Field: String, Hashable, Sendable, CaseIterable {
    case name, description, price, discount, sale, currency, stock, vendor
    case vendorID = "vendor_id"
    case created, modified, thumbnail, images

    /// Indicates that the server sets the field itself.
    var isOwn: Bool { [.vendorID, .created, .modified].contains(self) }

    /// Indicates that the value is one that the server computes with, and not a member that is stored as it was sent.
    var isComputed: Bool { ![.vendor, .thumbnail, .images].contains(self) }
  }

  /// The notation of a field's value.
  package enum Notation: Hashable, Sendable {
    case text, integer, decimal, decimalText, minorUnits, percentOfPrice, salePrice
    case time, seconds, milliseconds
    case addresses
  }

  /// The place and the notation of a field.
  package struct Rule: Hashable, Sendable {
    package var at: WirePointer
    package var notation: Notation
    /// The decimals of an amount in minor units.
    package var digits = 2
    /// The place of the address in each element of a list of pictures.
    package var each: WirePointer?
    package var isInList = true
    /// The text in place of the sale price of a product without a sale; otherwise null.
    package var removal: String?
    /// The value that all products have, which is not in responses.
    package var constant: String?

    package init(at: WirePointer, _ notation: Notation) { (self.at, self.notation) = (at, notation) }
  }

  /// A member and its value.
  package struct Member: Hashable, Sendable {
    let at: Place
    let value: WireJSON

    /// Creates a member from the JSON text of its value.
    package init(_ at: Place, json: String) {
      self.at = at
      value = (try? WireJSONReader.read(json.utf8)) ?? .null
    }
  }

  /// A place in a response: in its body, or a header field.
  package enum Place: Hashable, Sendable {
    case body(WirePointer)
    case header(String)

    /// The place in the body; `nil` for a header field.
    var pointer: WirePointer? {
      switch self {
      case .body(let pointer): pointer
      case .header: nil
      }
    }
  }

  /// A request for one product, and the places of the product in the request and in the response.
  package struct Call: Hashable, Sendable {
    package var methods: [String]
    /// The segments of the path, in which `{id}` and `{operation}` may occur.
    package var path: [String]
    /// The parameters with the text `{id}`, by which the product is named.
    package var query: [String: String] = [:]
    package var body = WirePointer.root
    package var record = WirePointer.root
    /// The members that a change must have if it has another member of the same object.
    package var along: [WirePointer] = []
    /// The member of a new product that no other product has.
    package var mark: WirePointer?
    /// The fields that a new product must have.
    package var required: [Field] = []
    /// Indicates that `If-Match` is compared with the state of the product.
    package var usesETag = false

    package init(_ methods: [String], _ path: [String]) { (self.methods, self.path) = (methods, path) }
  }

  /// The request for a list.
  package struct List: Hashable, Sendable {
    package var path: [String]
    package var records = WirePointer.root
    package var isNewestFirst = false
    package var page = Page()
    package var search: Search?
    /// The members besides the products, the total and the next page. Placeholders are replaced by numbers.
    package var members: [Member] = []

    package init(path: [String]) { self.path = path }
  }

  /// The search of a list: a parameter, and its path if it has one of its own.
  package struct Search: Hashable, Sendable {
    package var parameter: String
    package var path: [String]?

    package init(parameter: String, path: [String]? = nil) { (self.parameter, self.path) = (parameter, path) }
  }

  /// The pages of a list.
  package struct Page: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
      case none, page, offset, cursor, link
    }

    package var kind = Kind.none
    /// The parameter of the page's number, offset or cursor.
    package var parameter: String?
    /// The parameter of the number of rows.
    package var limit: String?
    package var first = 1
    package var size = 20
    package var maximumSize = 100
    package var next: Place?
    package var total: Place?

    package init() {}
  }

  /// The response for a product that doesn't exist: a status, and possibly a text of its body.
  package struct Gone: Hashable, Sendable {
    package var status: Int
    package var at: WirePointer?
    package var text: String?

    package init(status: Int, at: WirePointer? = nil, text: String? = nil) {
      (self.status, self.at, self.text) = (status, at, text)
    }
  }

  /// The body of the response to a deletion.
  package enum DeleteResponse: Hashable, Sendable {
    case product
    /// No body (204).
    case nothing
    /// The value `true`.
    case yes
  }

  /// The currency of all products, or `nil` if they have one each.
  package var currency: String? { fields[.currency]?.constant }

  /// The header fields that frame a response, or that the server sets itself.
  private static let reservedFields: Set<String> = [
    "access-control-allow-origin", "access-control-expose-headers", "allow", "cache-control", "connection",
    "content-encoding", "content-length", "content-security-policy",
    "content-type", "date", "etag", "keep-alive", "location", "market-generation", "retry-after", "set-cookie", "te",
    "trailer", "transfer-encoding", "upgrade", "vary", "www-authenticate", "x-content-type-options",
  ]

  /// The name of the first header field of a response that can't be set, or `nil` if all can.
  package var unusableField: String? {
    let places = [list.page.next, list.page.total].compactMap(\.self) + list.members.map(\.at)
    for case .header(let name) in places {
      if HTTPField.Name(name) == nil || ServedDescription.reservedFields.contains(name.lowercased()) { return name }
    }
    return nil
  }

  /// The path of the list or of a product that is the server's report of the class, or `nil` if none is.
  ///
  /// The page at `/` is for browsers, and the API may have the same path.
  package var unusablePath: String? {
    let paths = [list.path, read.path] + [list.search?.path].compactMap(\.self)
    return paths.first { $0.filter { !$0.isEmpty } == ["class"] }.map { "/" + $0.joined(separator: "/") }
  }
}
