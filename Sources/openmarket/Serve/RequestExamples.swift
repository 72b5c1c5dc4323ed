import EmbeddedMarket
import Text

/// Requests to try, which take identifier and secret from the variables that the shell reads too.
struct RequestExamples {
  let edition: ServedEdition
  /// The beginning of the URLs, without a trailing slash.
  let base: String

  /// The request of the first page.
  var read: String {
    "curl " + url(edition.hasVendors ? "/api/products?page_no=1&items_per_page=3" : "/items/1")
  }

  /// The request that changes a product.
  func patch(_ id: Int64) -> String {
    guard edition.hasVendors else {
      return "curl -X PATCH \(url("/item/\(id)")) \\\n  -F stock=7 -F \"password=$OPENMARKET_SECRET\""
    }
    return [
      "curl -X PATCH \(url("/api/products/\(id)"))", "-H \"identifier: $OPENMARKET_IDENTIFIER\"",
      "-H 'Content-Type: application/json'", #"--data-raw "{\"stock\":7,\"secret\":\"$OPENMARKET_SECRET\"}""#,
    ].joined(separator: " \\\n  ")
  }

  /// The lines that set the variables, with placeholders, and start the shell.
  var shell: String {
    let names = edition.hasVendors ? ["IDENTIFIER", "SECRET"] : ["SECRET"]
    let exports = names.map { "export OPENMARKET_\($0)='…'" }
    let start = "openmarket --url \(POSIXWord.quoted(base)) --api \(edition.rawValue)"
    return (exports + [start]).joined(separator: "\n")
  }

  private func url(_ path: String) -> String { POSIXWord.quoted(base + path) }
}
