import Commands
import EmbeddedMarket
import MarketAPI

/// Requests to try, which take identifier and secret from the variables that the shell reads too.
protocol ServedExamples {
  /// The request of the first page.
  var read: String { get }
  /// The request that creates a product, or `nil` if the API has none.
  var create: String? { get }
  /// The lines that set the variables, with placeholders, and start the shell.
  var shell: String { get }
  /// Returns the request that changes a product, or `nil` if the API has none.
  func patch(_ id: Int64) -> String?
  /// Returns the requests that delete a product, or `nil` if the API has none.
  func delete(_ id: Int64) -> String?
}

extension ServedAPI {
  /// Returns the requests to try at a URL without a trailing slash.
  func examples(base: String) -> any ServedExamples {
    switch self {
    case .edition(let edition): RequestExamples(edition: edition, base: base)
    case .described(let description): DescribedExamples(api: description, base: base)
    }
  }

  /// The variables of a login, without the `OPENMARKET_` before their names.
  var loginVariables: [String] {
    switch self {
    case .edition(let edition): edition.hasVendors ? ["IDENTIFIER", "VENDOR_ID", "SECRET"] : ["SECRET"]
    case .described(let description):
      switch description.login {
      case .none: []
      case .basic: ["IDENTIFIER", "SECRET"]
      case .bearer, .header, .query: ["SECRET"]
      }
    }
  }
}

/// The requests to try of an edition: those of `api`.
struct RequestExamples: ServedExamples {
  let edition: ServedEdition
  /// The beginning of the URLs, without a trailing slash.
  let base: String

  private var examples: EditionExamples { EditionExamples(Edition(edition), base: base) }

  /// The request of the first page.
  var read: String { examples.read }

  /// The request that creates a product with the picture `photo.jpg`.
  var create: String? { examples.create }

  /// The requests that delete a product: in the editions with vendors the first one asks where.
  func delete(_ id: Int64) -> String? { examples.delete(id) }

  /// The request that changes a product.
  func patch(_ id: Int64) -> String? { examples.patch(id) }

  /// The lines that set the variables, with placeholders, and start the shell.
  var shell: String { examples.shell }
}
