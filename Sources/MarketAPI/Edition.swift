import Catalog
import Foundation
import Networking
import Text

/// The four API dialects over the years (see the article Protocol).
///
/// The raw value is the word users type.
package enum Edition: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The first server of 2021: `/items`, and a password for each product.
  case camp1
  /// The second server of 2021: like the first, but a deletion returns the product.
  case camp2
  /// The server of 2022: `/api/products`, snake_case paging, deletion by a product secret.
  case training
  /// The server from October 2022 on: `/api/products`, camelCase paging, search, deletion by an archive URL.
  case open

  package var description: String { rawValue }

  /// The codec that implements the edition's wire format.
  var codec: any EditionCodec {
    switch self {
    case .camp1: CampCodec(.camp1)
    case .camp2: CampCodec(.camp2)
    case .training: VendorCodec.training
    case .open: VendorCodec.open
    }
  }

  /// The names of all editions, as listed in help texts.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  package static let newest = Edition.open

  /// The capabilities of the edition and the meaning of its wire format.
  package var capabilities: MarketCapabilities { codec.capabilities }

  /// The reason by which the edition is recognized from its responses.
  package var detectionReason: LocalizedText { codec.detectionReason }
}

/// The wire format of one edition, by which its servers are recognized too.
protocol EditionCodec: MarketCodec {
  /// Returns whether the object is a page in this edition's list format.
  ///
  /// No other edition with the same list request has that format.
  func isPage(_ object: JSONObject) -> Bool
  /// Returns the page in an object, or `nil` if it isn't a page.
  func page(from object: JSONObject, asked: ListProducts) -> Page?
  /// The reason by which the edition was recognized, shown to a user who didn't name an edition.
  var detectionReason: LocalizedText { get }
}

extension EditionCodec {
  func page(in response: ResponseDecoder, asked: ListProducts) throws(MarketError) -> Page {
    let object = try response.object()
    let others = isPage(object) ? [] : Edition.allCases.filter { $0.codec.isPage(object) }
    if !others.isEmpty { throw response.undecodable(.list(of: others)) }
    guard let page = page(from: object, asked: asked) else { throw response.undecodable(.json) }
    return page
  }
}

/// Detects the edition of a server with at most two requests.
package struct EditionDetector: Sendable {
  private let transport: any Transport
  private let options: SendOptions

  package init(through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.transport = transport
    self.options = options
  }

  /// Returns the newest edition whose list format the server uses.
  ///
  /// Editions with the same list request share one request.
  ///
  /// - Throws: `TransportError` if the server can't be reached, `MarketError.unknownEdition` if no response is
  ///   recognized.
  package func edition(at base: URL) async throws -> Edition {
    var asked: Request?
    var page: JSONObject?
    var failures: [MarketError] = []
    for edition in Edition.allCases.reversed() {
      let question = edition.codec.list(ListProducts(page: 1, size: 1))
      if question != asked {
        let response = try await transport.send(question, to: base, with: options)
        let decoder = ResponseDecoder(response: response.inUTF8, market: MarketService(base, dialect: Dialect(edition)))
        do throws(MarketError) {
          page = try decoder.object()
          failures.append(decoder.undecodable(.json))
        } catch {
          page = nil
          failures.append(error)
        }
      }
      asked = question
      if let page, edition.codec.isPage(page) { return edition }
    }
    throw MarketError.unknownEdition(failures[0])
  }
}
