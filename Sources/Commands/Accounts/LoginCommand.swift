import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// `login`: sets the vendor's credentials of this profile.
///
/// The secret is read without echo or from a file, never from the command line.
package struct LoginCommand: Command {
  package static let declaration = CommandDeclaration(
    "login", group: .account, summary: LocalizedText("log in as a vendor", ko: "판매자 로그인"),
    usage: ["login", "login VENDOR", "login identifier=ID [vendor_id=N] [secret=@FILE]"],
    details: LocalizedText(
      "Asks for the secret without showing it. In a script, the secret is read from a file or from OPENMARKET_SECRET. The vendor ID is needed only for mine and vendor=me, and is learned from the first product you create.",
      ko:
        "시크릿(비밀번호)은 화면에 표시하지 않고 묻습니다. 스크립트에서는 파일이나 OPENMARKET_SECRET에서 읽습니다. 판매자 번호는 mine과 vendor=me에만 필요하며, 처음 등록한 상품에서 알아냅니다."
    ),
    traits: [.acceptsSecret],
    parameters: [
      Parameter(
        "VENDOR", .rest(required: false), kind: .vendor,
        summary: LocalizedText(
          "name or number of a vendor of the built-in market, as listed by vendors",
          ko: "vendors에 나오는 내장 마켓 판매자의 이름이나 번호")),
      Parameter(
        "NAME=VALUE", .assignments, kind: .namedAssignments(["identifier", "vendor_id", "secret"]),
        summary: LocalizedText(
          "identifier=ID, vendor_id=N, secret=@file (@- reads standard input)",
          ko: "identifier=ID, vendor_id=N, secret=@파일; @-는 표준 입력")),
    ],
    examples: [
      .init(
        "login identifier=3424eb5f-660f-11ec-8eff-b53506094baa vendor_id=15", "asks for the secret", ko: "시크릿을 물어봄"),
      .init("login secret=@secret.txt", "reads the secret from a file", ko: "파일의 시크릿"),
      .init("login northside", "logs in as another vendor of the built-in market", ko: "내장 마켓의 다른 판매자로"),
    ])

  private let identifier: String?
  private let vendorID: Int?
  private let secretFile: String?
  /// A vendor of the embedded market, by name or number.
  private let vendor: String?

  /// - Throws: `ParseError` for an unknown field, a `vendor_id` that isn't a number, and a secret on the line.
  package init(_ invocation: ParsedCommand) throws {
    var identifier: String?
    var vendorID: Int?
    var secretFile: String?
    for assignment in invocation.assignments {
      switch assignment.name {
      case "identifier": identifier = assignment.value
      case "vendor_id":
        guard let number = Int(assignment.value), number > 0 else {
          throw ParseError(
            LocalizedText("vendor_id must be a number.", ko: "vendor_id는 숫자입니다."), at: assignment.range)
        }
        vendorID = number
      case "secret":
        guard assignment.isFile else { throw LoginCommand.typedSecret(assignment.range) }
        secretFile = assignment.value
      default:
        throw ParseError(
          LocalizedText(
            "Unknown login value: \(.field(assignment.name)).",
            ko: "login에 \(.field(assignment.name), .object) 쓸 수 없습니다."),
          at: assignment.range)
      }
    }
    self.identifier = identifier
    self.vendorID = vendorID
    self.secretFile = secretFile
    let words = invocation.all("VENDOR")
    vendor = words.isEmpty ? nil : words.joined(separator: " ")
    if vendor != nil, let first = invocation.assignments.first {
      throw ParseError(
        LocalizedText(
          "\(.field(first.name)) cannot be set for a vendor of the built-in market.",
          ko: "내장 마켓의 판매자에는 \(.field(first.name)) 값이 이미 있습니다."), at: first.range)
    }
  }

  private static func typedSecret(_ range: Range<Int>) -> ParseError {
    ParseError(
      LocalizedText(
        "Do not type a secret on the command line. It was neither used nor saved.",
        ko: "시크릿은 명령에 직접 적지 마세요. 사용하지도 저장하지도 않았습니다."
      ),
      suggestion: LocalizedText(
        "Run \(.command("login")) to be asked for it, or \(.command("login secret=@file")) to read it from a file.",
        ko: "\(.command("login"), .object) 실행해 물을 때 입력하거나, \(.command("login secret=@file"), .toward) 파일에서 읽으세요."),
      at: range)
  }

  /// - Throws: `CommandError` if the secret is missing, can't be sent or is rejected by the server; `FileError` for the file
  ///   of the secret.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    if let vendor { return .message(try await logIn(as: vendor, in: &scope)) }
    // Whether an identifier is needed at all, the server's edition says.
    if identifier == nil, scope.session.credentials.identifier == nil, scope.session.server.dialect == nil {
      _ = try? await scope.marketClient()
    }
    var candidate = scope.session
    candidate.credentials.identifier = try await readIdentifier(scope)
    if secretFile == nil, candidate.server.secretCommand != nil {
      candidate.credentials.secret = nil
      var other = CommandScope(candidate, scope.context)
      try await other.resolveSecret()
      candidate = other.session
    } else if !reusesSecret(scope.session) {
      candidate.credentials.secret = try await secret(CommandScope(candidate, scope.context))
      candidate.credentialOrigins.secret = .login
    }
    candidate.credentialOrigins.identifier = .login
    if let vendorID = try await vendorID(of: candidate.credentials.identifier, in: scope) {
      candidate.credentials.vendorID = vendorID
      candidate.credentialOrigins.vendorID = .login
    } else if isOther(scope.session) {
      candidate.credentials.vendorID = nil
      candidate.credentialOrigins.vendorID = nil
    }
    scope.context.stores.remember(candidate.secrets)
    let finding: CredentialCheck.Finding
    do {
      finding = try await CredentialCheck(scope.context, scope.mode).check(&candidate)
    } catch let rejection as CommandError {
      // A text that the server rejected isn't a secret: a mistyped word would be hidden in every text from now on.
      let own = scope.session.secrets
      await scope.context.stores.recording.exchanges?.flush()
      scope.context.stores.secrets.remove(candidate.secrets.filter { !own.contains($0) })
      throw rejection
    }
    if candidate.credentials.vendorID != scope.session.credentials.vendorID { candidate.completion.ownProductIDs = [] }
    scope.session = candidate
    return .message(try save(message(finding), scope))
  }

  /// Logs in as a vendor of the embedded market, which knows the credentials itself.
  private func logIn(as vendor: String, in scope: inout CommandScope) async throws -> Message {
    guard scope.session.server.isEmbedded, scope.session.server.hasVendorAccounts else {
      throw LoginCommand.noVendorHere(scope.session)
    }
    let vendors = try await scope.context.network.embedded.vendors()
    scope.context.stores.secrets.add(typed: vendors.compactMap(\.credentials.secret))
    let wanted = vendor.nfcNormalized.lowercased()
    guard
      let found = vendors.first(where: { $0.name.nfcNormalized.lowercased() == wanted || String($0.number) == vendor })
    else {
      let near = SpellingSuggester.closest(vendor, in: vendors.map(\.name))
      let failure = Message.failure("Unknown vendor.", ko: "알 수 없는 판매자입니다.")
      throw CommandError(
        .refused,
        near.map {
          failure.next("Did you mean \(.command("login \($0)"))?", ko: "\(.command("login \($0)"), .object) 뜻하셨나요?")
        }
          ?? failure.next(
            "Run \(.command("vendors")) to list the vendors.", ko: "판매자 목록은 \(.command("vendors"))로 볼 수 있습니다."))
    }
    scope.session.credentials = found.credentials
    scope.session.credentialOrigins = CredentialOrigins()
    scope.session.credentialOrigins.identifier = .login
    scope.session.credentialOrigins.secret = .login
    scope.session.credentialOrigins.vendorID = .login
    scope.session.completion.ownProductIDs = []
    scope.session.remember(vendor: found.name)
    scope.context.stores.remember(scope.session.secrets)
    return try save(
      .success(
        "Logged in as \(.value(found.name)), vendor \(found.number).",
        ko: "\(found.number)번 판매자 \(.value(found.name), .toward) 로그인했습니다."), scope)
  }

  /// Why a name is no login here. It may be a secret that was typed by mistake, so it is not repeated.
  private static func noVendorHere(_ session: Session) -> CommandError {
    guard session.server.hasVendorAccounts else {
      return CommandError(
        .usageError,
        .failure("This API edition has no vendors.", ko: "이 API 버전에는 판매자가 없습니다.")
          .next("Run \(.command("login")) to enter the password.", ko: "\(.command("login"), .toward) 비밀번호를 입력하세요."))
    }
    return CommandError(
      .usageError,
      .failure(
        "Logging in with a name alone works only in the built-in market.", ko: "이름만으로 로그인하는 것은 내장 마켓에서만 됩니다."
      ).next(
        "Run \(.command("login identifier=ID")) to log in.",
        ko: "\(.command("login identifier=ID"), .toward) 시크릿을 입력하세요."))
  }

  private func readIdentifier(_ scope: CommandScope) async throws -> String? {
    let needsIdentifier = scope.session.server.needsIdentifier
    var name = identifier ?? scope.session.credentials.identifier
    if name == nil, needsIdentifier {
      name = await scope.answer(to: LocalizedText("Identifier: ", ko: "식별자: "))
    }
    if needsIdentifier, name?.isEmpty ?? true {
      throw CommandError(
        .usageError,
        .failure("An identifier is required.", ko: "식별자가 필요합니다.")
          .next("For example: \(.command("login identifier=ID"))", ko: "예: \(.command("login identifier=ID"))"))
    }
    return name
  }

  /// Returns whether the line names another identifier than that of the session, whose vendor ID isn't that of the line.
  private func isOther(_ session: Session) -> Bool {
    identifier != nil && identifier != session.credentials.identifier
  }

  /// Returns the vendor ID of the line, the one that the embedded market knows, or the answer to a question for a new
  /// login of an edition with vendors.
  private func vendorID(of name: String?, in scope: CommandScope) async throws -> Int? {
    if let vendorID { return vendorID }
    guard isOther(scope.session) || scope.session.credentials.vendorID == nil, scope.session.server.hasVendorAccounts
    else { return nil }
    if scope.session.server.isEmbedded {
      return try await scope.context.network.embedded.vendors().first { $0.credentials.identifier == name }?.number
    }
    guard scope.context.program.asker != nil else { return nil }
    let question = LocalizedText("Vendor ID (Enter if you do not know it): ", ko: "판매자 번호(모르면 Enter): ")
    // The identifier and the secret were typed already, so a slip is asked about again.
    while let answer = await scope.answer(to: question)?.trimmed, !answer.isEmpty {
      if let number = Int(answer), number > 0 { return number }
      scope.say(
        .note(
          "A vendor ID is a number, such as \(.value("15")).", ko: "판매자 번호는 \(.value("15")) 같은 숫자입니다."))
    }
    return nil
  }

  /// Returns the question for a secret, which names its owner.
  private func secretQuestion(_ session: Session) -> LocalizedText {
    let server = session.server.authority ?? session.server.name
    guard session.server.needsIdentifier, let identifier = session.credentials.identifier else {
      if session.server.hasNoOwners {
        return LocalizedText("Secret for \(.value(server)): ", ko: "\(.value(server))의 시크릿: ")
      }
      return LocalizedText("Password for \(.value(server)): ", ko: "\(.value(server))의 비밀번호: ")
    }
    return LocalizedText(
      "Secret of \(.value(identifier)) at \(.value(server)): ", ko: "\(.value(server)), \(.value(identifier))의 시크릿: ")
  }

  /// Returns whether the secret stays the same: `login vendor_id=15` adds an id to the current login.
  private func reusesSecret(_ session: Session) -> Bool {
    vendorID != nil && identifier == nil && secretFile == nil && session.credentials.secret != nil
  }

  private func secret(_ scope: CommandScope) async throws -> Secret {
    var text: String?
    if secretFile == "-", isatty(STDIN_FILENO) == 0 {
      let data = FileHandle.standardInput.readData(ofLength: 4097)
      guard data.count <= 4096 else { throw CommandError.unsendableSecret }
      guard let read = String(validating: data, as: UTF8.self) else { throw FileError.notText(path: "-") }
      text = read.trimmed
    } else if let secretFile, secretFile != "-" {
      let path = Paths.expanded(secretFile, home: scope.context.program.environment["HOME"])
      guard let content = try Files.text(path, limit: 4096) else {
        throw FileError.cannotRead(path: path, errno: 2)
      }
      text = content.trimmed
    } else if let asker = scope.context.program.asker {
      let question = secretQuestion(scope.session)[scope.session.settings.language].plain
      text = await asker.secret(Sanitizer.sanitized(question))
    } else {
      throw CommandError(
        .usageError,
        .failure("Cannot ask for the secret without a terminal.", ko: "터미널이 아니어서 시크릿을 물을 수 없습니다.")
          .next(
            "Use \(.command("secret=@file")) or set OPENMARKET_SECRET.",
            ko: "\(.command("secret=@file"))이나 OPENMARKET_SECRET 환경 변수를 사용하세요."))
    }
    guard let text, !text.isEmpty else {
      throw CommandError(.blocked, .note("No secret was given. Not logged in.", ko: "시크릿이 없어 로그인하지 않았습니다."))
    }
    guard let secret = Secret(password: text) else { throw CommandError.unsendableSecret }
    return secret
  }

  private func message(_ finding: CredentialCheck.Finding) -> Message {
    switch finding {
    case .verified(let id):
      Message.success("Logged in.", ko: "로그인했습니다.").because(
        "The server accepted the identifier and secret, in a request about product \(id) that changes nothing.",
        ko: "서버가 식별자와 시크릿을 확인했습니다(아무것도 바꾸지 않는 \(id)번 상품의 요청).")
    case .unverified(let why):
      Message.warning(
        "The credentials have not been checked and will be checked by the first change.",
        ko: "로그인 정보를 아직 확인하지 못했습니다. 첫 변경 때 확인됩니다."
      ).because("\(why[.english])", ko: "\(why[.korean])")
    }
  }

  /// Saves the credentials with the profile, so that the next session is logged in.
  ///
  /// Without a profile they are valid for this session only.
  private func save(_ done: Message, _ scope: CommandScope) throws -> Message {
    guard let name = scope.session.server.profile?.value else { return done }
    // Another shell may have changed the profile's URL, or an option the URL of this session.
    guard
      try ProfileStore(scope.context.stores.home).profile(named: name)?.isAt(scope.session.server.url?.value) == true
    else {
      return done.because(
        "For this session only: the server in use is not that of profile \(.value(name)).",
        ko: "이 세션에서만 유지됩니다. \(.value(name)) 프로필의 서버와 다른 서버에 연결되어 있습니다.")
    }
    var stored = scope.session.credentials
    // The program is asked again the next time.
    if scope.session.credentialOrigins.secret == .secretCommand { stored.secret = nil }
    try CredentialStore(scope.context.stores.home).save(stored, for: name)
    if scope.session.credentials.vendorID != nil || identifier != nil || vendor != nil {
      try ProfileStore(scope.context.stores.home).update(about: name, at: scope.session.server.url?.value) {
        $0.vendorID = scope.session.credentials.vendorID
      }
    }
    return done.because(
      "Saved to profile \(.value(name)), readable only by you.", ko: "\(.value(name)) 프로필에, 현재 사용자만 읽을 수 있게 저장했습니다.")
  }
}

/// The check of credentials with the first of the two requests of a deletion, which authenticates the vendor and
/// deletes nothing.
struct CredentialCheck {
  enum Finding: Hashable, Sendable {
    /// The server accepted identifier and secret in a request about this product.
    case verified(Product.ID)
    /// The credentials couldn't be checked, for this reason.
    case unverified(LocalizedText)
  }

  /// The maximum number of list pages that are searched for one of the vendor's products.
  private static let maxPages = 20

  private let context: CommandContext

  private let mode: CommandScope.Mode

  init(_ context: CommandContext, _ mode: CommandScope.Mode) {
    self.context = context
    self.mode = mode
  }

  /// - Throws: `CommandError` if the server rejects the credentials.
  func check(_ session: inout Session) async throws -> Finding {
    guard session.server.access.value == .readWrite, mode == .write else {
      return .unverified(LocalizedText("This session is read-only.", ko: "읽기 전용 세션입니다."))
    }
    var scope = CommandScope(session, context)
    defer { session = scope.session }
    do {
      let market = try await scope.marketClient()
      if scope.session.server.hasNoOwners {
        // A server that requires credentials for reading refuses this request if they are wrong.
        _ = try await market.send(ListProducts(page: 1, size: 1))
        return .unverified(
          LocalizedText("The server answered, but it may let everybody read.", ko: "서버가 응답했지만 누구나 읽을 수 있는 서버일 수 있습니다."))
      }
      guard market.service.dialect.deletionNeedsToken else {
        return .unverified(
          LocalizedText(
            "In this API edition the secret is the password of each product.",
            ko: "이 API 버전에서는 상품마다 다른 비밀번호가 시크릿입니다."))
      }
      guard let me = session.credentials.vendorID else {
        return .unverified(
          LocalizedText("Without a vendor ID your products cannot be found.", ko: "판매자 번호가 없어 내 상품을 찾을 수 없습니다."))
      }
      guard let product = try await findOwnProduct(me, market) else {
        return .unverified(LocalizedText("Vendor \(me) has no products.", ko: "\(me)번 판매자의 상품을 찾지 못했습니다."))
      }
      return try await ask(product, market)
    } catch let failure as TransportError where failure.reason != .cancelled {
      return .unverified(LocalizedText("The server could not be reached.", ko: "서버에 연결하지 못했습니다."))
    }
  }

  private func ask(_ product: Product, _ market: Client<MarketService>) async throws -> Finding {
    do {
      _ = try await market.send(RequestDeletion(product.id))
      return .verified(product.id)
    } catch MarketError.invalidDeletionURL {
      return .verified(product.id)
    } catch let error as MarketError {
      guard let status = error.status, StatusClass(status) == .clientError, status != 404 else {
        return .unverified(LocalizedText("The server did not respond.", ko: "서버가 응답하지 않았습니다."))
      }
      var message = Message.failure(
        "The server rejected these credentials. They were not saved.",
        ko: "서버가 로그인 정보를 거부했습니다. 저장하지 않았습니다.")
      for reason in CommandError(describing: error).message.reasons { message = message.because(reason) }
      throw CommandError(.refused, message)
    }
  }

  private func findOwnProduct(_ me: Int, _ market: Client<MarketService>) async throws -> Product? {
    var found: Product?
    var blocks = 0
    let result = try await ProductScan(market).forEachBatch { products in
      found = products.first { $0.vendorID == me }
      blocks += 1
      return found == nil && blocks < CredentialCheck.maxPages
    }
    if case .failed(let error) = result.stopReason, found == nil { throw error }
    if case .interrupted = result.stopReason, found == nil { throw CancellationError() }
    return found
  }
}
