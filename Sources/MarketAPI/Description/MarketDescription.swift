import Catalog
import Networking

/// The wire format of a market as a file describes it, so that the shell can be used with an API that this program doesn't
/// know (see the article Markets).
///
/// A value of this type was checked: its paths are relative, and its queries and header fields can be sent. It names no
/// host, because a description may come from another person.
package struct MarketDescription: Hashable, Sendable {
  /// The word for the market in the prompt and in stored files.
  package var name: String
  /// The file that the description was read from, as messages name it.
  package var file: String
  /// The checksum of the file's text.
  package var digest: String
  /// The path between the server's base URL and the paths of the requests.
  package var base = RequestPath.empty
  /// The pointer to the product's id, an integer.
  package var id: JSONPointer
  /// The rule for the ids of deleted products.
  package var ids = IDReuse.any
  /// A Boolean value that is false if the server confirms a write without storing it.
  package var keepsWrites = true
  /// The number of requests that are sent at once.
  package var concurrency = 2
  /// The header fields of every request.
  package var headers: [HeaderField] = []
  package var authentication = Authentication.none
  package var list: ListRule
  package var read: ReadRule
  /// The changes that the file describes.
  package var writes: [WriteRule] = []
  package var fields: [ProductField: FieldRule] = [:]
  /// The places of the server's own message in the body of an error, in the order in which they are looked up.
  package var messages: [JSONPointer] = []
  /// The additions of a server that serves the API itself.
  package var serving = ServeRule()
  /// The lines with an unconfirmed guess: those with the comment `# CHECK`.
  package var unchecked: [Int] = []

  /// The path of the list below the server's base URL.
  package var resource: RequestPath { base.appending(list.path) }

  package init(name: String, file: String, digest: String, id: JSONPointer, list: ListRule, read: ReadRule) {
    (self.name, self.file, self.digest, self.id, self.list, self.read) = (name, file, digest, id, list, read)
  }

  /// The rule for the ids of deleted products.
  package enum IDReuse: String, Hashable, Sendable, CaseIterable {
    /// Ids grow and are never used again.
    case grow
    /// A new product may get the id of a deleted one.
    case reused
    /// The file doesn't say it.
    case any
  }

  /// The way in which the credentials are sent.
  package enum Authentication: Hashable, Sendable {
    case none
    /// Identifier and secret (RFC 7617).
    case basic
    /// The secret as a token (RFC 6750).
    case bearer
    /// The secret in a header field, after `prefix`.
    case header(name: String, prefix: String)
    /// The secret as a value of the query, where logs of servers contain it.
    case query(name: String)
  }

  /// The order of the products in the list.
  package enum Order: String, Hashable, Sendable, CaseIterable {
    case newestFirst = "newest-first"
    case oldestFirst = "oldest-first"
    case unknown
  }

  /// The request for the list and the places of its parts in the response.
  package struct ListRule: Hashable, Sendable {
    package var path: RequestPath
    package var query: [QueryItem] = []
    package var records = JSONPointer.root
    /// The line and column of `records` in the file.
    package var recordsPosition: String
    package var order = Order.unknown
    package var search: SearchRule?
    package var page = PageRule()

    package init(path: RequestPath, recordsPosition: String) {
      (self.path, self.recordsPosition) = (path, recordsPosition)
    }
  }

  /// The request that searches the list.
  package struct SearchRule: Hashable, Sendable {
    /// The path that searches, or `nil` if it is that of the list.
    package var path: RequestPath?
    package var parameter: String

    package init(path: RequestPath?, parameter: String) { (self.path, self.parameter) = (path, parameter) }
  }

  /// The way in which the pages of the list are requested.
  package struct PageRule: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
      /// The response is the complete list.
      case none
      /// A page has a number.
      case page
      /// A page begins after a number of rows.
      case offset
      /// A page has a text that the page before it contains.
      case cursor
      /// A page has a URL that the page before it contains.
      case link
    }

    package var kind = Kind.none
    /// The name in the query of the page's number, offset or cursor.
    package var parameter: String?
    /// The name in the query of the number of rows.
    package var limit: String?
    /// The number of the first page.
    package var first = 1
    package var size = 20
    package var maximumSize: Int?
    package var next: ResponseLocation?
    package var total: ResponseLocation?
    /// The line and column of `next` and `total` in the file.
    package var nextPosition = ""
    package var totalPosition = ""
    /// The line and column of `limit` in the file.
    package var limitPosition = ""

    package init() {}
  }

  /// The request for one product.
  package struct ReadRule: Hashable, Sendable {
    package var path: RequestPath
    package var query: [QueryItem] = []
    package var record = JSONPointer.root
    /// The responses that say that there is no such product.
    package var gone: [GoneRule] = [GoneRule(status: 404)]
    /// The line and column of `record` in the file.
    package var position: String

    package init(path: RequestPath, position: String) { (self.path, self.position) = (path, position) }
  }

  /// A response that says that a product doesn't exist: a status, and possibly a text of its body.
  package struct GoneRule: Hashable, Sendable {
    package var status: Int
    package var at: JSONPointer?
    package var text: String?

    package init(status: Int, at: JSONPointer? = nil, text: String? = nil) {
      (self.status, self.at, self.text) = (status, at, text)
    }
  }

  /// The request that makes a change.
  package struct WriteRule: Hashable, Sendable {
    package var operation: Operation
    package var method: RequestMethod
    package var path: RequestPath
    package var query: [QueryItem] = []
    package var headers: [HeaderField] = []
    /// The place of the product in the body of the request.
    package var body = JSONPointer.root
    /// The place of the product in the response.
    package var record = JSONPointer.root
    /// The members of the product that are sent with every change of another member, as they were read before.
    package var along: [JSONPointer] = []
    /// A Boolean value that indicates whether the request names the state of the product that was read, `If-Match`.
    package var usesETag = false
    /// The member of a new product that contains the id of the write, by which the product is found.
    package var mark: JSONPointer?
    /// The fields that a new product must have.
    package var required: [ProductField] = [.name]
    /// The members of a new product that are the same for all.
    package var values: [ConstantMember] = []
    /// The members of a deleted product that aren't sent when it is created again.
    package var omitted: [JSONPointer] = []
    /// The line and column of the table in the file.
    package var position = ""

    package init(operation: Operation, method: RequestMethod, path: RequestPath) {
      (self.operation, self.method, self.path) = (operation, method, path)
    }
  }

  /// A member of every new product.
  ///
  /// `{operation}` in a text is replaced by the id of the write.
  package struct ConstantMember: Hashable, Sendable {
    package var at: JSONPointer
    package var value: JSON

    package init(at: JSONPointer, value: JSON) { (self.at, self.value) = (at, value) }
  }

  /// Returns the request for an operation, or `nil` if the file describes none.
  package func write(_ operation: Operation) -> WriteRule? { writes.first { $0.operation == operation } }

  /// The notation of a field's value.
  package enum Notation: String, Hashable, Sendable, CaseIterable {
    case text
    case integer
    case decimal
    case decimalText = "decimal-text"
    case minorUnits = "minor-units"
    case percentOfPrice = "percent-of-price"
    case salePrice = "sale-price"
    case time
    case seconds
    case milliseconds
    case urls

    /// The notations that a field can have; the first is used if the file names none.
    package static func valid(for field: ProductField) -> [Notation] {
      switch field {
      case .id, .stock, .vendorID: [.integer]
      case .price: [.decimal, .decimalText, .minorUnits]
      case .discount: [.decimal, .decimalText, .minorUnits, .percentOfPrice]
      case .sale: [.salePrice]
      case .name, .description, .currency, .vendor, .thumbnail: [.text]
      case .created, .modified: [.time, .seconds, .milliseconds]
      case .images: [.urls]
      }
    }
  }

  /// The place and the notation of a field, or its constant.
  package struct FieldRule: Hashable, Sendable {
    package var at: JSONPointer
    package var notation: Notation
    /// The place of the address in each element of a list of pictures.
    package var each: JSONPointer?
    /// The value that every product has, in place of one in the response.
    package var constant: String?
    /// The decimals of an amount in minor units, or of one that is computed from a percentage.
    package var digits = 2
    /// A Boolean value that is false if the rows of a list don't have the field.
    package var isInList = true
    package var isWritable = true
    /// The text that is sent in place of the sale price to end a sale.
    package var removal: String?
    /// The line and column of the field in the file.
    package var position: String

    package init(at: JSONPointer, notation: Notation, position: String) {
      (self.at, self.notation, self.position) = (at, notation, position)
    }
  }
}
