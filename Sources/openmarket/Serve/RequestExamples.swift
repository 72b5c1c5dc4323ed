import EmbeddedMarket
import Text

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

/// The requests to try of an edition.
struct RequestExamples: ServedExamples {
  let edition: ServedEdition
  /// The beginning of the URLs, without a trailing slash.
  let base: String

  /// The request of the first page.
  var read: String {
    "curl " + url(edition.hasVendors ? "/api/products?page_no=1&items_per_page=3" : "/items/1")
  }

  /// The request that creates a product with the picture `photo.jpg`.
  var create: String? {
    let fields =
      #"\"name\":\"Paper lamp\",\"\#(descriptionKey)\":\"It folds into a card.\",\"price\":9000,\"currency\":\"KRW\",\"stock\":5"#
    guard edition.hasVendors else {
      return
        (["curl \(url("/item"))", "-F title='Paper lamp' -F descriptions='It folds into a card.'"]
        + ["-F price=9000 -F currency=KRW -F stock=5 -F \"password=$OPENMARKET_SECRET\"", "-F 'images[]=@photo.jpg'"])
        .joined(separator: " \\\n  ")
    }
    return [
      "curl \(url("/api/products"))", "-H \"identifier: $OPENMARKET_IDENTIFIER\"",
      #"-F "params={\#(fields),\"secret\":\"$OPENMARKET_SECRET\"};type=application/json""#, "-F images=@photo.jpg",
    ].joined(separator: " \\\n  ")
  }

  private var descriptionKey: String { edition == .training ? "descriptions" : "description" }

  /// The requests that delete a product: in the editions with vendors the first one asks where.
  func delete(_ id: Int64) -> String? {
    guard edition.hasVendors else {
      let fields = edition == .camp1 ? "\\\"id\\\":\(id)," : ""
      return [
        "curl -X DELETE \(url("/item/\(id)"))", "-H 'Content-Type: application/json'",
        "--data-raw \"{\(fields)\\\"password\\\":\\\"$OPENMARKET_SECRET\\\"}\"",
      ].joined(separator: " \\\n  ")
    }
    let action = edition == .training ? "secret" : "archived"
    let asking = [
      "answer=$(curl -sS -X POST \(url("/api/products/\(id)/\(action)"))", "-H \"identifier: $OPENMARKET_IDENTIFIER\"",
      "-H 'Content-Type: application/json'", #"--data-raw "{\"secret\":\"$OPENMARKET_SECRET\"}")"#,
    ].joined(separator: " \\\n  ")
    let target = edition == .training ? url("/api/products/\(id)/") : POSIXWord.quoted(base)
    return asking + "\ncurl -X DELETE \(target)\"$answer\" -H \"identifier: $OPENMARKET_IDENTIFIER\""
  }

  /// The request that changes a product.
  func patch(_ id: Int64) -> String? {
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
    let exports = ServedAPI.edition(edition).loginVariables.map { "export OPENMARKET_\($0)='…'" }
    let start = "openmarket --url \(POSIXWord.quoted(base)) --api \(edition.rawValue)"
    return (exports + [start]).joined(separator: "\n")
  }

  private func url(_ path: String) -> String { POSIXWord.quoted(base + path) }
}
