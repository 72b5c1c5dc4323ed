import Catalog
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Testing
import Text
import WeatherAPI
import WriteJournal

/// No message contains the name of a case, a type or a function.
struct CommandErrorTests {
  private struct UnknownFailure: Error { var innerReason = "x y" }
  private enum OtherFailure: Error {
    case uncleanShutdown
    case decodingFailed(offset: Int, in: String)
  }
  private struct Described: Error, CustomStringConvertible { let description = "the disk is on fire" }

  private static let reasons: [TransportError.Reason] =
    [
      .nameNotFound(host: "shop.test"), .connectionRefused, .networkUnreachable, .tls("certificate verify failed"),
      .timedOut,
      .connectionClosed, .notHTTP("invalid constant string"), .headerFieldsTooLong, .serverDoesNotSpeakTLS,
      .proxyLoginRequired,
      .tooLarge(limit: 7), .cancelled, .insecureHost(host: "shop.test"), .methodNotAllowed(.post), .invalidURL("x"),
      .invalidHeader("x"), .invalidMultipart, .notRecorded("GET /"), .other("no route to host"),
    ] + TransportError.HTTPFault.allCases.map { .invalidHTTP($0) }
    + ([.unsupported("br"), .otherFormat("gzip"), .damaged, .truncated, .trailingData] as [ContentCodingFault]).map {
      .undecodableContent($0)
    }

  private static let marketErrors: [MarketError] =
    [
      .refused(status: 500, message: "oops"), .notFound(message: nil), .tooManyRequests(retryAfter: 3, message: nil),
      .redirected(status: 302, to: nil), .notLoggedIn(missing: [.identifier, .secret]), .invalidCredential(.identifier),
      .needsCurrentProduct(Dialect(.camp1)), .invalidDeletionURL(excerpt: "http://elsewhere.test/"),
      .unknownEdition(.unreadable(status: 200, kind: .html, excerpt: "<html>")),
    ] + Operation.allCases.map { .unsupported($0, Dialect(.camp2)) }
    + ([.empty, .html, .text, .json, .field("price", found: "x"), .list(of: [.open]), .otherProduct(7)]
    as [MarketError.BodyKind]).map { .unreadable(status: 200, kind: $0, excerpt: "") }

  private static let journalErrors: [JournalError] = [
    .unwritable(path: "/x", reason: .system("no space")), .diskFull, .quota(bytes: 7), .claimedByOtherShell(1),
    .alreadyUndone(1, by: 2), .insecurePermissions(path: "/x", mode: 0o644), .wrongOwner(path: "/x"),
    .newerSchema(version: 9), .damaged(.unreadable), .poisoned(.unreadable), .locked, .notOpen,
    .missing(path: "/x"), .foreign(path: "/x"),
  ]

  private static let otherErrors: [any Error] = [
    UnknownFailure(), OtherFailure.uncleanShutdown, OtherFailure.decodingFailed(offset: 7, in: "a b"), Described(),
    POSIXError(.ENETUNREACH), CancellationError(), OutputError.failed(path: "/x", errno: ENOSPC),
    FileError.cannotRead(path: "/x", errno: ENOENT), FileError.noCertificate(path: "/x"),
    UndoError.unreadable(.status(500, message: nil), isAnswered: true),
    DecodingError.valueNotFound(Int.self, .init(codingPath: [], debugDescription: "keyNotFound")),
  ]

  static let errors: [any Error] = {
    var errors: [any Error] = []
    for reason in reasons {
      errors.append(TransportError(reason, extent: .complete))
      errors.append(TransportError(reason, extent: .complete, status: 200))
      errors.append(WeatherError.unreachable(reason))
    }
    errors += marketErrors as [any Error]
    errors += journalErrors as [any Error]
    for error in journalErrors { errors.append(UndoError.journal(error)) }
    return errors + otherErrors
  }()

  @Test func entryWithoutEarlierValuesIsNamed() {
    let message = CommandError(describing: UndoError.incomplete(7, [.name, .images])).message
    #expect(message.reasons.map(\.english.plain) == ["Log entry 7 has no earlier value of name, images."])
  }

  @Test(arguments: Self.errors.indices) func messageContainsNoSwiftName(_ index: Int) {
    let error = Self.errors[index]
    let message = CommandError(describing: error).message
    for text in [message.what] + message.reasons {
      for sentence in [text.english.plain, text.korean.plain] {
        #expect(isOfWords(sentence), "\(sentence)")
      }
    }
  }

  /// The evidence in the log and in messages about writes.
  @Test(arguments: Self.errors.indices) func evidenceContainsNoSwiftName(_ index: Int) {
    let error = Self.errors[index]
    let read = ReadFailure(error).evidence.english
    #expect(isOfWords(read), "\(read)")
    let sent: String =
      switch SendOutcome(error) {
      case .accepted(let reason), .unknown(let reason, _), .unsent(let reason), .aborted(let reason): reason.english
      case .refused(let rejection): rejection.message ?? ""
      case .drifted: ""
      case .succeeded, .rateLimited: ""
      }
    #expect(isOfWords(sent), "\(sent)")
  }

  @Test func descriptionInWordsIsShown() {
    #expect(ErrorDescription.text(of: Described()) == "the disk is on fire")
    #expect(ErrorDescription.text(of: POSIXError(.ENETUNREACH)) == "Network is unreachable")
    #expect(ErrorDescription.text(of: UnknownFailure()) == nil)
    #expect(ErrorDescription.text(of: OtherFailure.uncleanShutdown) == nil)
    #expect(ErrorDescription.text(of: OtherFailure.decodingFailed(offset: 7, in: "a b")) == nil)
  }

  /// A response that came ends with 1, not 3: 3 means that no response came.
  @Test(arguments: Self.reasons.indices, [nil, 200, 500] as [Int?])
  func onlyMissingResponseMeansUnreachable(_ index: Int, _ status: Int?) {
    let failure = TransportError(Self.reasons[index], extent: .complete, status: status)
    let code = CommandError(failure).exitStatus
    switch failure.reason {
    case .nameNotFound, .connectionRefused, .networkUnreachable, .tls, .serverDoesNotSpeakTLS, .proxyLoginRequired,
      .notRecorded, .other:
      if status == nil { #expect(code == .unreachable) }
    case .timedOut, .connectionClosed: #expect(code == (status == nil ? .unreachable : .refused))
    case .notHTTP, .invalidHTTP, .headerFieldsTooLong, .undecodableContent, .tooLarge: #expect(code == .refused)
    case .cancelled, .insecureHost, .methodNotAllowed, .invalidURL, .invalidHeader, .invalidMultipart:
      #expect(code != .unreachable)
    }
  }

  /// Without the log it isn't known which earlier changes took effect. One that can't be written holds the line back.
  @Test func unreadableLogIsAnUnknownOutcome() {
    for error in [JournalError.damaged(.unreadable), .missing(path: "log"), .foreign(path: "log")] {
      #expect(CommandError(describing: error).exitStatus == .outcomeUnknown)
      #expect(CommandError(describing: UndoError.journal(error)).exitStatus == .outcomeUnknown)
    }
    for error in [JournalError.diskFull, .locked, .newerSchema(version: 9)] {
      #expect(CommandError(describing: error).exitStatus == .blocked)
    }
  }

  private func isOfWords(_ text: String) -> Bool {
    // Names of our own that users type.
    let text = text.replacing("openmarket", with: "").replacing("Content-Encoding", with: "").replacing(
      "Transfer-Encoding", with: "")
    return text.firstMatch(of: #/[a-z][A-Z]|[A-Za-z]\(|[a-z]_[a-z]|::|[A-Za-z]:[A-Za-z)]/#) == nil
  }
}
