import Catalog
import Foundation
import FoundationEssentials

/// The reason for the outcome of a write, as a code with arguments.
///
/// The journal stores it as JSON, and no decision depends on its words: both languages are written where it is shown. The
/// names of the cases and of their arguments are part of that format.
package indirect enum Evidence: Hashable, Sendable, Codable {
  // How a request ended.
  case hostNotFound(String)
  case connectionRefused
  case networkUnreachable
  case tlsFailed(String)
  case noResponseInTime
  case restOfResponseMissing
  case connectionLost
  case notHTTP
  case invalidHTTP
  case headerFieldsTooLong
  case undecodableContent
  case proxyLoginRequired
  case serverWithoutTLS
  case responseTooLarge
  case interrupted
  case insecureHost(String)
  case methodNotAllowed(String)
  case invalidURL(String)
  case invalidHeader(String)
  case invalidForm
  case missingInRecording
  case noResponse

  // Why a request was not made.
  case requestNotMade
  case notLoggedIn
  case invalidCredential(String)
  case unsupported(edition: String)
  case productNotRead
  case foreignDeletionURL(String)
  case unknownEdition
  case deletionInterrupted(Evidence)
  case deletionNotSent(Evidence)

  // What a response was.
  case status(Int, message: String?)
  case unexpectedStatus(Int)
  case redirected(Int)
  case undecodableProduct(status: Int)
  case respondedWithoutProduct
  case respondedWithOther(Product.ID?)

  /// A response came from another generation of the market than the one that the plan was made for.
  case otherMarket

  // What a read showed.
  case marketUnreadable
  case endlessList
  case checkFailed(Evidence)
  case preflightFailed(Evidence)
  /// The server confirmed the write, and a read showed the given evidence, or what was read isn't known.
  case reportedSuccess(Evidence?)
  case reportedSuccessUnread
  case reportedSuccessOfMissing
  case stillExists(Product.ID)
  case noLongerExists(Product.ID?)
  case neverExisted
  /// A field is read with its previous value, which isn't shown.
  case previousValue(ProductField)
  case otherValue(ProductField, now: String, wanted: String)
  case values(ProductField, before: String?, wanted: String?, now: String?)
  case difference(ProductField, FieldDifference.Kind, now: String?)
  case modified(at: String?)
  case changedSincePlan([ProductField])
  case changesByOthers
  /// The stock is as the write would leave it, and a purchase leaves it so, too.
  case likePurchase
  /// The product differs from what the values were computed from, after an attempt that was answered with 429: a proxy
  /// may have passed the write on, or another client has written.
  case mayBePassedOn
  /// This home edited the same fields after an attempt that was rejected with 429. If a proxy had passed the attempt on, that
  /// edit may have put the previous value back.
  case mayBePassedOnBefore(entry: Int)
  /// The product differs from the one that the values were computed from, or another client has changed other products of the
  /// run. Another copy of this home folder, or another client, may have made the change.
  case mayBeMadeElsewhere
  case candidates([Product.ID])
  case notFound(sentAt: String?, until: String)
  case createdBefore(entry: Int, product: Product.ID)
  case otherProduct(String?)
  /// A read after a send without a response showed the effect of the write.
  case checkedApplied
  case inconclusive

  // What happened to the entry.
  case blocked(entry: Int)
  case leftOpen
  case programEnded
  case programEndedBeforeResponse
  case programEndedWhileSending
  case resendApproved
  case decidedByHand
  case replaced
  case replacedByUndo
  case runGivenUp
  case madeByOtherRun
  case superseded
  case plannedAgain
  case saleIsOver
  case marketReset
  case notRecorded
  case rawRequest(String?, Evidence?)
  case picturesMissing

  /// A text of the server, of the system or of an earlier version.
  case text(String)
  /// Several, in order.
  case all([Evidence])
}

extension Evidence {
  /// The most that are stored of one write: each failing read adds one.
  private static let maximumCount = 6

  /// Returns both pieces of evidence without repetition, or one of them if the other is `nil`.
  static func joined(_ first: Evidence?, _ second: Evidence) -> Evidence {
    guard let first else { return second }
    let parts = first.parts
    guard !parts.contains(second), parts.count < maximumCount else { return first }
    return .all(parts + second.parts)
  }

  /// Returns several as one, or `nil` if there are none.
  static func joined(_ parts: [Evidence]) -> Evidence? { parts.count > 1 ? .all(parts) : parts.first }

  /// The single ones.
  var parts: [Evidence] { if case .all(let parts) = self { parts } else { [self] } }

  /// The products that a read found for a create and that may be the one that it made.
  package var candidateProducts: [Product.ID] {
    parts.flatMap { part -> [Product.ID] in if case .candidates(let products) = part { products } else { [] } }
  }

  /// A Boolean value that indicates that the server couldn't be reached, which may pass.
  var isOutage: Bool {
    switch self {
    case .hostNotFound, .connectionRefused, .networkUnreachable, .noResponseInTime, .connectionLost: true
    case .preflightFailed(let reason), .deletionInterrupted(let reason), .deletionNotSent(let reason): reason.isOutage
    default: false
    }
  }

  /// Returns the evidence with texts that came from elsewhere replaced.
  package func masked(_ mask: (String) -> String) -> Evidence {
    switch self {
    case .hostNotFound(let host): .hostNotFound(mask(host))
    case .tlsFailed(let text): .tlsFailed(mask(text))
    case .insecureHost(let host): .insecureHost(mask(host))
    case .invalidURL(let url): .invalidURL(mask(url))
    case .invalidHeader(let name): .invalidHeader(mask(name))
    case .foreignDeletionURL(let url): .foreignDeletionURL(mask(url))
    case .deletionInterrupted(let reason): .deletionInterrupted(reason.masked(mask))
    case .deletionNotSent(let reason): .deletionNotSent(reason.masked(mask))
    case .status(let status, let message): .status(status, message: message.map(mask))
    case .checkFailed(let reason): .checkFailed(reason.masked(mask))
    case .preflightFailed(let reason): .preflightFailed(reason.masked(mask))
    case .reportedSuccess(let seen): .reportedSuccess(seen?.masked(mask))
    case .otherValue(let field, let now, let wanted): .otherValue(field, now: mask(now), wanted: mask(wanted))
    case .values(let field, let before, let wanted, let now):
      .values(field, before: before.map(mask), wanted: wanted.map(mask), now: now.map(mask))
    case .difference(let field, let kind, let now): .difference(field, kind, now: now.map(mask))
    case .otherProduct(let name): .otherProduct(name.map(mask))
    case .rawRequest(let summary, let reason): .rawRequest(summary.map(mask), reason?.masked(mask))
    case .text(let text): .text(mask(text))
    case .all(let parts): .all(parts.map { $0.masked(mask) })
    case .connectionRefused, .networkUnreachable, .noResponseInTime, .restOfResponseMissing, .connectionLost, .notHTTP,
      .invalidHTTP,
      .headerFieldsTooLong, .undecodableContent, .proxyLoginRequired, .serverWithoutTLS, .responseTooLarge,
      .interrupted, .methodNotAllowed, .invalidForm, .missingInRecording, .noResponse, .requestNotMade, .notLoggedIn,
      .invalidCredential, .unsupported, .productNotRead, .unknownEdition, .unexpectedStatus,
      .redirected, .undecodableProduct, .respondedWithoutProduct, .respondedWithOther,
      .otherMarket, .marketUnreadable, .endlessList, .reportedSuccessUnread, .reportedSuccessOfMissing, .stillExists,
      .noLongerExists, .neverExisted, .previousValue, .modified, .changedSincePlan, .changesByOthers, .likePurchase,
      .mayBePassedOn, .mayBePassedOnBefore, .mayBeMadeElsewhere,
      .candidates, .notFound, .createdBefore, .checkedApplied, .inconclusive, .blocked, .leftOpen,
      .programEnded, .programEndedBeforeResponse, .programEndedWhileSending, .resendApproved, .decidedByHand,
      .replaced, .replacedByUndo, .runGivenUp, .madeByOtherRun, .superseded, .plannedAgain, .saleIsOver, .marketReset,
      .notRecorded,
      .picturesMissing:
      self
    }
  }
}

extension Evidence {
  /// The JSON that the journal stores.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding strings and integers can't fail.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }

  /// Reads what the journal stores; the English text of an earlier version is shown as it is.
  init?(stored: String?) {
    guard let stored, !stored.isEmpty else { return nil }
    self = (stored.first == "{" ? JSONColumn.decode(Evidence.self, stored) : nil) ?? .text(stored)
  }

  /// Reads a value of a JSON object, which was a text in earlier versions.
  struct Stored: Hashable, Sendable, Decodable {
    var evidence: Evidence

    init(_ evidence: Evidence) { self.evidence = evidence }

    init(from decoder: any Decoder) throws {
      if let text = try? decoder.singleValueContainer().decode(String.self) {
        evidence = .text(text)
      } else {
        evidence = try Evidence(from: decoder)
      }
    }
  }
}
