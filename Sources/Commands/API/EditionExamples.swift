import MarketAPI
import Text

/// Requests to try, which take identifier and secret from the variables that the shell reads too, for `api` and the page
/// of `serve`.
package struct EditionExamples: Sendable {
  let edition: Edition
  /// The beginning of the URLs, without a trailing slash.
  let base: String

  package init(_ edition: Edition, base: String) {
    self.edition = edition
    self.base = base.hasSuffix("/") ? String(base.dropLast()) : base
  }

  private var hasVendors: Bool { edition.hasVendors }

  /// The request of the first page.
  package var read: String {
    "curl " + url(hasVendors ? "/api/products?page_no=1&items_per_page=3" : "/items/1")
  }

  /// The request that asks whether the server runs, which the editions with vendors have.
  package var health: String { "curl " + url("/healthChecker") }

  /// The request of a product.
  package func show(_ id: Int64) -> String {
    "curl " + url(hasVendors ? "/api/products/\(id)" : "/item/\(id)")
  }

  /// The request that creates a product with the picture `photo.jpg`.
  package var create: String {
    let fields =
      #"\"name\":\"Paper lamp\",\"\#(descriptionKey)\":\"It folds into a card.\",\"price\":9000,\"currency\":\"KRW\",\"stock\":5"#
    guard hasVendors else {
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

  private var descriptionKey: String { Dialect(edition).capabilities.descriptionKey }

  /// The requests that delete a product: in the editions with vendors the first one asks where.
  package func delete(_ id: Int64) -> String {
    guard hasVendors else {
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
  package func patch(_ id: Int64) -> String {
    guard hasVendors else {
      return "curl -X PATCH \(url("/item/\(id)")) \\\n  -F stock=7 -F \"password=$OPENMARKET_SECRET\""
    }
    return [
      "curl -X PATCH \(url("/api/products/\(id)"))", "-H \"identifier: $OPENMARKET_IDENTIFIER\"",
      "-H 'Content-Type: application/json'", #"--data-raw "{\"stock\":7,\"secret\":\"$OPENMARKET_SECRET\"}""#,
    ].joined(separator: " \\\n  ")
  }

  /// The lines that set the variables, with placeholders, and start the shell.
  package var shell: String {
    let names = hasVendors ? ["IDENTIFIER", "VENDOR_ID", "SECRET"] : ["SECRET"]
    let exports = names.map { "export OPENMARKET_\($0)='…'" }
    let start = "openmarket --url \(POSIXWord.quoted(base)) --api \(edition.rawValue)"
    return (exports + [start]).joined(separator: "\n")
  }

  private func url(_ path: String) -> String { POSIXWord.quoted(base + path) }
}
