import Catalog
import Foundation
import Networking
import Text

/// The four forms of the API over the years (see Protocol); the raw value is what people type.
package enum Edition: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// 2021, first server: `/items`, a password a product.
  case camp1
  /// 2021, second server: as the first, but deleting answers the product.
  case camp2
  /// 2022: `/api/products`, snake_case paging, deletion by a product secret.
  case training
  /// From October 2022: `/api/products`, camelCase paging, search, deletion by an archive address.
  case open

  package var description: String { rawValue }

  /// Where the edition keeps its spelling.
  var codec: any EditionCodec {
    switch self {
    case .camp1: Camp1Codec()
    case .camp2: Camp2Codec()
    case .training: TrainingCodec()
    case .open: OpenCodec()
    }
  }

  /// All of them, as help says it.
  package static let names = allCases.map(\.rawValue).joined(separator: ", ")

  /// What it can and how it is meant.
  package var traits: EditionTraits { codec.traits }

  /// What in its answers tells it from the others.
  package var evidence: LocalizedText { codec.evidence }

  /// True when a deletion asks for a ticket first.
  package var deletesInTwoCalls: Bool { supports(.requestDeletion) }

  /// True when the edition does this at all.
  package func supports(_ operation: Operation) -> Bool { traits.abilities.contains(operation) }
}

/// What an edition can and how it is meant; each says its own beside its spelling, so that nobody else asks which it is.
package struct EditionTraits: Hashable, Sendable {
  /// Everything it does; the rest is refused in words.
  package var abilities: [Operation]
  /// Products belong to vendors, who are known by an identifier; otherwise each has a password of its own, and a wrong one
  /// is answered like a product that is gone.
  package var knowsVendors: Bool
  /// `discounted_price` is what a buyer pays; otherwise the amount taken off.
  package var namesSalePrice: Bool
  /// The first page of the list holds the newest products; otherwise the last one does.
  package var listsNewestFirst: Bool
  /// A deletion answers the product as it was; otherwise its id alone.
  package var answersDeletedProduct: Bool

  /// Fields that a product tells and a row of a list does not.
  package var notInRows: [Field]
  /// Fields that no answer tells.
  package var untold: [Field] = []
  /// What a description is called in requests.
  package var descriptionKey = "descriptions"
  /// What stands before the token in the answer to the first call of a deletion.
  package var ticketPrefix = ""

  /// What every edition does.
  static let common: [Operation] = [.list, .show, .create, .edit, .delete]
}

/// What can be asked of a market; not every edition can everything.
package enum Operation: String, Hashable, Sendable, CaseIterable {
  case list
  case search
  /// Asking for another number of rows a page than the server's own.
  case pageSize
  case show
  case create
  case edit
  case chooseThumbnail
  case replacePictures
  /// Whether a product is ours is told by trying the password.
  case askOwnership
  case fractionalPrices
  case requestDeletion
  case delete
  case checkHealth
}

/// Tells which edition a server speaks, with at most two reads.
package struct EditionFinder: Sendable {
  private let transport: any Transport
  private let options: SendOptions

  package init(through transport: any Transport, with options: SendOptions = SendOptions()) {
    self.transport = transport
    self.options = options
  }

  /// The newest edition whose list this is; editions that are asked alike share one read, so there are two.
  ///
  /// - Throws: `TransportFailure` when the server cannot be asked, `MarketError.unknownEdition` when no answer tells.
  package func edition(at base: URL) async throws -> Edition {
    var asked: Request?
    var answer: JSONObject?
    for edition in Edition.allCases.reversed() {
      let question = edition.codec.list(ListProducts(page: 1, size: 1))
      if question != asked { answer = try await object(question, base) }
      asked = question
      if let answer, edition.codec.isPage(answer) { return edition }
    }
    throw MarketError.unknownEdition
  }

  private func object(_ request: Request, _ base: URL) async throws -> JSONObject? {
    let reply = try await transport.send(request, to: base, with: options)
    return reply.isSuccess ? (try? JSON(parsing: reply.body))?.object : nil
  }
}
