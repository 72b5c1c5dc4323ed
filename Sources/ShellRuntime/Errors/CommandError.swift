import CommandLanguage
import Images
import MarketAPI
import Networking
import Platform
import Presentation
import Text
import WeatherAPI
import WriteJournal

/// The failure of a command: a message and an exit status.
package struct CommandError: Error, Hashable, Sendable {
  package var message: Message
  package var exitStatus: ExitStatus
  /// The stable code for programs.
  package var code: MessageCode

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - status: The exit status.
  ///   - code: The code for programs, or `nil` for the general one of the exit status.
  package init(_ status: ExitStatus, _ message: Message, code: MessageCode? = nil) {
    self.exitStatus = status
    self.message = message
    self.code = code ?? message.code ?? status.generalCode
  }

  /// The message with the code and the exit status.
  package var described: Message {
    var message = message
    message.code = code
    message.exitStatus = exitStatus.rawValue
    return message
  }
}

extension ExitStatus {
  /// The code of an error that has none of its own.
  fileprivate var generalCode: MessageCode {
    switch self {
    case .success: .note
    case .refused: .refused
    case .usageError: .badLine
    case .unreachable: .unreachable
    case .blocked: .blocked
    case .outcomeUnknown: .outcomeUnknown
    case .assertionFailed: .assertionFailed
    case .partialFailure: .partialFailure
    case .drift: .drift
    case .interrupted, .hungUp, .quit, .terminated: .interrupted
    }
  }
}

extension CommandError {
  /// Creates the message and the exit status for any error thrown by a command.
  package init(describing error: any Error) {
    switch error {
    case let failure as CommandError: self = failure
    case let message as Message: self.init(.refused, message)
    case let misread as ParseError: self.init(misread)
    case let error as MarketError: self.init(error)
    case let list as PageLimitExceededError: self.init(list)
    case let list as LastPageNotFoundError: self.init(list)
    case let error as CurrentVendorUnknownError: self = error.hasVendors ? .unknownVendor : .withoutOwners
    case let failure as TransportError: self.init(failure)
    case let error as PictureError: self.init(error)
    case let error as FileError: self.init(error)
    case let fault as WorkbookWriter.Fault: self.init(fault)
    case let error as DescriptionError: self.init(error)
    case let error as OutputError: self.init(error)
    case let refusal as UndoError: self.init(refusal)
    case let failure as JournalError:
      self.init(
        failure.status, Message(.failure, failure.wording), code: failure == .locked ? .busy : .journalUnavailable)
    case let error as WeatherError: self.init(error)
    case is CancellationError: self = .interrupted
    default:
      let message = Message.failure("Unexpected error.", ko: "예상하지 못한 일이 생겼습니다.")
      let reason = ErrorDescription.text(of: error).map { LocalizedText(same: "\(.foreign($0))") }
      self.init(.refused, reason.map { message.because($0) } ?? message, code: .unexpected)
    }
  }

  package static let interrupted = CommandError(.interrupted, .note("Interrupted.", ko: "중단했습니다."))

  /// Returns the exit status for any error thrown by a command.
  package static func exitStatus(of error: any Error) -> ExitStatus { CommandError(describing: error).exitStatus }

  /// Returns the failure of a command that ended with this exit status without throwing, described by the last HTTP
  /// status or by the exit status.
  package static func ending(_ code: ExitStatus, status: Int?) -> CommandError {
    if code == .refused, let status, status >= 400 {
      let words = HTTPStatus.described(status)
      return CommandError(code, .failure("The server responded with \(words).", ko: "서버가 \(words) 응답을 보냈습니다."))
    }
    return CommandError(code, Message(.failure, code.meaning))
  }
}

// Unknown names, reported by several commands and at startup.
extension CommandError {
  package static func unknownProfile(_ name: String, of profiles: some Sequence<String>) -> CommandError {
    CommandError(
      .usageError,
      .failure("Unknown profile: \(.value(name)).", ko: "알 수 없는 프로필: \(.value(name)).")
        .next(
          "Profiles: \(profiles.sorted().joined(separator: ", "))",
          ko: "프로필: \(profiles.sorted().joined(separator: ", "))"))
  }

  /// The failure for a condition or target with `me` when the current vendor isn't known.
  package static let unknownVendor = CommandError(
    .blocked,
    .failure("Your vendor ID is unknown.", ko: "판매자 번호를 알 수 없습니다.")
      .next(
        "Run \(.command("login vendor_id=N")) to set it.", ko: "지정하려면 \(.command("login vendor_id=N"), .object) 실행하세요."
      ).next(
        "Run \(.command("ls columns id,name,vendor,vendor_id")) to see the IDs beside the products of the vendors. The first product that you create tells it too.",
        ko:
          "번호는 \(.command("ls columns id,name,vendor,vendor_id"))에서 상품 옆의 판매자 이름과 함께 볼 수 있고, 첫 상품을 등록해도 알 수 있습니다."),
    code: .vendorUnknown)

  /// Returns the failure for `mine` without a vendor ID: the error of the login, or the one of a session without a
  /// login.
  package static func withoutVendor(_ session: Session) -> CommandError {
    if session.server.hasNoOwners { return withoutOwners }
    guard !session.hasSecret, session.credentials.identifier == nil else { return unknownVendor }
    return CommandError(
      .blocked,
      .failure("Not logged in.", ko: "로그인하지 않았습니다.").because(
        "Your products are known only after a login.", ko: "내 상품은 로그인해야 알 수 있습니다."
      ).next("Run \(.command("login")) to log in.", ko: "로그인하려면 \(.command("login"), .object) 실행하세요."),
      code: .notLoggedIn)
  }

  /// The error for a market whose products have no vendors.
  package static let withoutOwners = CommandError(
    .usageError,
    .failure("The products of this market have no vendors.", ko: "이 마켓의 상품에는 판매자가 없습니다.")
      .because("\(.command("mine")) needs vendors.", ko: "\(.command("mine"), .topic) 판매자가 있어야 합니다."),
    code: .unsupported)

  package init(_ list: LastPageNotFoundError) {
    let number = NumberFormatting.grouped(list.page)
    self.init(
      .refused,
      .failure("Could not find the last page.", ko: "마지막 페이지를 찾지 못했습니다.")
        .because("Page \(number) still has products.", ko: "서버가 \(number)페이지에도 상품이 있다고 합니다.")
        .next(
          "Use \(.command("ls all")) to read the whole list.", ko: "목록 전체를 읽으려면 \(.command("ls all"), .object) 쓰세요."),
      code: .incompleteList)
  }

  package init(_ list: PageLimitExceededError) {
    let page = NumberFormatting.grouped(list.limit.page)
    let reason =
      list.limit.reportedPages.map {
        LocalizedText(
          "The server reported \(NumberFormatting.grouped($0)) \($0 == 1 ? "page" : "pages") at first, but page \(page) still has products.",
          ko: "서버는 처음에 \(NumberFormatting.grouped($0))페이지라고 했는데 \(page)페이지에도 상품이 있습니다.")
      }
      ?? LocalizedText(
        "The server reports no usable number of pages, and page \(page) still has products.",
        ko: "서버가 알려 준 쓸 만한 페이지 수가 없고, \(page)페이지에도 상품이 있습니다.")
    self.init(
      .refused,
      Message.failure("The list does not end. Reading was stopped.", ko: "목록이 끝나지 않아 읽기를 멈췄습니다.").because(reason)
        .next(
          "Add \(.command("pages N")) to the command to read up to page N.",
          ko: "명령에 \(.command("pages N"), .object) 붙이면 N페이지까지 읽습니다."
        ), code: .incompleteList)
  }
}

extension ExitStatus {
  /// The meaning of the exit status as a sentence.
  var meaning: LocalizedText {
    switch self {
    case .success: LocalizedText("All done.", ko: "모두 처리했습니다.")
    case .refused: LocalizedText("The server refused the request.", ko: "서버가 거부했습니다.")
    case .usageError: LocalizedText("The command is not valid.", ko: "올바른 명령이 아닙니다.")
    case .unreachable: LocalizedText("Cannot reach the server.", ko: "서버에 연결하지 못했습니다.")
    case .blocked: LocalizedText("Stopped by a safety check. Nothing was sent.", ko: "안전 검사에서 중단했습니다. 아무것도 보내지 않았습니다.")
    case .outcomeUnknown: LocalizedText("The outcome is unknown.", ko: "결과를 알 수 없습니다.")
    case .assertionFailed: LocalizedText("An expectation was not met.", ko: "기대와 다른 결과가 있습니다.")
    case .partialFailure: LocalizedText("Some items were not processed.", ko: "처리하지 못한 항목이 있습니다.")
    case .drift: LocalizedText("There are changes that fail-on reports.", ko: "fail-on이 알리는 변경이 있습니다.")
    case .interrupted, .hungUp, .quit, .terminated: LocalizedText("Interrupted.", ko: "중단했습니다.")
    }
  }
}

/// The result of one check made by a command: the expected and the actual value.
package struct CheckResult: Hashable, Sendable {
  package var name: String
  package var expected: String
  package var seen: String
  package var isMet: Bool

  package init(name: String, expected: String, seen: String, isMet: Bool) {
    self.name = name
    self.expected = expected
    self.seen = seen
    self.isMet = isMet
  }
}
