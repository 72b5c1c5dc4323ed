import Commands
import EmbeddedMarket
import MarketAPI

/// Requests to try, which take identifier and secret from the variables that the shell reads too: those of `api`.
struct RequestExamples {
  let edition: ServedEdition
  /// The beginning of the URLs, without a trailing slash.
  let base: String

  private var examples: EditionExamples { EditionExamples(Edition(edition), base: base) }

  /// The request of the first page.
  var read: String { examples.read }

  /// The request that creates a product with the picture `photo.jpg`.
  var create: String { examples.create }

  /// The requests that delete a product: in the editions with vendors the first one asks where.
  func delete(_ id: Int64) -> String { examples.delete(id) }

  /// The request that changes a product.
  func patch(_ id: Int64) -> String { examples.patch(id) }

  /// The lines that set the variables, with placeholders, and start the shell.
  var shell: String { examples.shell }
}
