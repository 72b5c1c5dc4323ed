import Commands
import EmbeddedMarket
import MarketAPI

/// Requests to try, which take identifier and secret from the variables that the shell reads too.
protocol ServedExamples {
  /// The request of the first page.
  var read: String { get }
  /// The request that creates a product, or `nil` if the API has none.
  var creation: String? { get }
  /// The lines that set the variables, with placeholders, and start the shell.
  var shell: String { get }
  /// Returns the request that changes a product, or `nil` if the API has none.
  func change(of id: Int64) -> String?
  /// Returns the requests that delete a product, or `nil` if the API has none.
  func deletion(of id: Int64) -> String?
}

extension ServedAPI {
  /// Returns the requests to try at a URL without a trailing slash.
  func examples(base: String) -> any ServedExamples {
    switch self {
    case .edition(let edition): EditionExamples(Edition(edition), base: base)
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

/// The examples of `api`.
extension EditionExamples: ServedExamples {
  var creation: String? { create }

  func change(of id: Int64) -> String? { patch(id) }

  func deletion(of id: Int64) -> String? { delete(id) }
}
