import Catalog
import CommandLanguage
import FoundationEssentials
import MarketAPI
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The checks between a plan and the market: ownership, outliers, and the confirmation.
package enum WriteApproval {
  /// Asks before the session's secrets are sent over plain `http` to another machine, unless the profile or an option
  /// allows it; in a private network it warns.
  ///
  /// The server is `base`, or the session's own.
  ///
  /// - Throws: `CommandError` with exit status 4 for any reply but yes, and if there is no user to ask.
  package static func admitPlainHTTP(to base: URL? = nil, in scope: CommandScope) async throws {
    guard scope.mode == .write, let url = base ?? scope.session.server.url?.value,
      let host = Loopback.openHost(of: url), !scope.context.network.plainHTTP.allowsSecrets(to: host)
    else { return }
    let onlyWarns = scope.context.network.plainHTTP.onlyWarns(of: host)
    guard onlyWarns || scope.context.program.asker != nil else { throw CommandError.plainHTTP(to: host) }
    scope.say(
      .warning(
        "The connection to \(.value(host)) is not encrypted (http). Others on the network can read the secret.",
        ko: "\(.value(host)) 연결은 암호화되지 않은 http입니다. 네트워크의 다른 사람이 시크릿을 읽을 수 있습니다."))
    guard !onlyWarns else { return scope.context.network.plainHTTP.allow(host) }
    let question = LocalizedText("Send it anyway? [y/N] ", ko: "그래도 보낼까요? [y/N] ")
    guard await scope.isConfirmed(question) else { throw ConfirmationPrompt.declined }
    scope.context.network.plainHTTP.allow(host)
  }

  /// Shows a preview of the plan, and asks for confirmation if the profile or an outlier requires it.
  ///
  /// The user can exclude rows.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - notes: Messages shown between the rows and the confirmation.
  ///   - consent: The options of the line.
  ///   - question: The confirmation.
  ///   - scope: The scope of the command.
  /// - Returns: The approved plan, or the result of a command whose writes are only shown.
  /// - Throws: `CommandError` if a check or the user rejects the plan.
  package static func approve(
    _ plan: Plan, notes: [Message] = [], consent: WriteOptions, question: WriteQuestion = .ofProfile,
    in scope: CommandScope
  ) async throws -> Approval {
    try await admitPlainHTTP(in: scope)
    var plan = plan
    switch scope.mode {
    case .write:
      guard consent.failOn == nil else { throw WriteApproval.checksWithoutDry }
      try requireProof(consent, in: scope)
    case .dry:
      try await preview(plan, notes: notes, consent: consent, in: scope)
      scope.say(.note("Dry run: nothing was sent.", ko: "모의 실행: 아무것도 보내지 않았습니다."))
      var result = CommandResult()
      if consent.failOn?.isMet(by: plan) == true { result.status = .drift }
      result.wasOnlyShown = true
      return .shown(result)
    case .curl:
      for note in notes { scope.say(note) }
      var result = CommandResult()
      result.plans = [plan]
      return .shown(result)
    }
    if question.isAnswered {
      try Ownership.check(plan, scope.session)
      return .approved(plan, hasOutliers: false)
    }
    var notes = notes
    if let market = scope.session.server.dialect?.value.marketDescription, !market.keepsWrites {
      notes.append(.keepsNothing(market))
    }
    let unproven = unprovenWarning(in: scope)
    if let unproven { notes.append(unproven) }
    var outliers = try await preview(
      plan, notes: notes, consent: consent, asks: true, in: scope)
    let confirmation = ConfirmationPrompt(scope)
    if case .own(let ask) = question { try await ask(plan) }
    var asks =
      question.isAsked(of: plan, scope.session.server.confirm.value)
      || unproven != nil && !consent.unproven && !question.isOwn
    var areMeant = false
    while true {
      let hasOutliers = !outliers.isEmpty && !areMeant
      let reply: ConfirmationReply
      if hasOutliers {
        reply = try await confirmation.admitOutliers(of: plan, consent: consent)
      } else if asks, isMassDeletion(plan), scope.context.program.asker != nil, !consent.yes,
        !scope.context.program.assumesYes
      {
        reply = try await confirmation.confirmDeletions(of: plan)
      } else {
        reply = asks ? try await confirmation.choose(plan, consent: consent) : .accepted
      }
      switch reply {
      case .accepted where hasOutliers: areMeant = true
      case .accepted: return .approved(plan, hasOutliers: !outliers.isEmpty)
      case .showAll:
        try await preview(
          plan, notes: notes, consent: consent, asks: true, showsAll: true, in: scope)
      case .noRow, .other: break
      case .leaveOut(let rows):
        plan.removeChanges(at: rows)
        if plan.changes.isEmpty { throw ConfirmationPrompt.declined }
        (asks, areMeant) = (true, false)
        outliers = try await preview(
          plan, notes: notes, consent: consent, asks: true, in: scope)
      }
    }
  }

  /// Throws if the description of the market was not proven at this server and the user isn't asked.
  ///
  /// - Throws: `CommandError` with exit status 4.
  private static func requireProof(_ consent: WriteOptions, in scope: CommandScope) throws {
    guard !consent.unproven, scope.context.program.asker == nil || consent.yes || scope.context.program.assumesYes,
      let unproven = unprovenWarning(in: scope)
    else { return }
    throw CommandError(
      .blocked,
      Message.failure(
        "The description was not proven. Nothing was sent.", ko: "검증하지 않은 설명 파일입니다. 아무것도 보내지 않았습니다."
      ).because(unproven.what).next(
        "Run \(.command("contract writes")), or add \(.command("unproven")) to the command.",
        ko: "\(.command("contract writes"), .object) 실행하거나 명령 끝에 \(.command("unproven"), .object) 붙이세요."),
      code: .unproven)
  }

  /// Returns the warning that the description of the market was not proven at this server, or `nil` if it was or if no file
  /// describes the market.
  private static func unprovenWarning(in scope: CommandScope) -> Message? {
    let (server, proofs) = (scope.session.server, DescriptionProofs(scope.context.stores.home))
    guard let market = server.dialect?.value.marketDescription, !proofs.contain(market, at: server.url?.value) else {
      return nil
    }
    return .unproven(
      market, at: server.authority ?? "", wasProven: proofs.containEarlier(market, at: server.url?.value))
  }

  /// The error for a line with `fail-on` that would write.
  private static let checksWithoutDry = ParseError(
    LocalizedText(
      "\(.field(FailOnCondition.option)) needs a dry run. Nothing was sent.",
      ko: "\(.field(FailOnCondition.option), .topic) 모의 실행에만 쓸 수 있습니다. 아무것도 보내지 않았습니다."),
    suggestion: LocalizedText(
      "Put \(.command("dry")) before the command.", ko: "명령 앞에 \(.command("dry"), .object) 붙이세요."))

  /// Returns whether a plan deletes so many products that one key is not enough to confirm it.
  private static func isMassDeletion(_ plan: Plan) -> Bool {
    plan.changes.count { if case .delete = $0 { true } else { false } } > 10
  }

  /// Shows as many rows of the plan as the window has space for, and below them the destination, the sums, the notes
  /// and the outliers, so that these are next to the confirmation.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - notes: Messages shown after the rows.
  ///   - consent: The options of the line.
  ///   - asks: Whether a confirmation may follow that refers to rows by number.
  ///   - showsAll: Whether to show all rows completely, in the pager if they don't fit the window.
  ///   - scope: The scope of the command.
  /// - Returns: The outliers.
  /// - Throws: `CommandError` for a product of another vendor.
  @discardableResult
  package static func preview(
    _ plan: Plan, notes: [Message] = [], consent: WriteOptions, asks: Bool = false, showsAll: Bool = false,
    in scope: CommandScope
  ) async throws -> [Outlier] {
    try Ownership.check(plan, scope.session)
    let outliers = Outliers.find(
      in: plan, ascii: scope.session.settings.ascii,
      documentsCurrencies: scope.session.server.expectedDialect.capabilities.limits != nil)
    let options = scope.messageOptions
    let preview = PlanPreview(
      plan.changes, heading: heading(scope.session), prioritizedIndices: outliers.compactMap(\.change),
      isNumbered: asks && scope.context.program.asker != nil && !consent.yes && !scope.context.program.assumesYes)
    let messages = notes + EqualNames.warnings(of: plan) + (Outliers.warning(outliers).map { [$0] } ?? [])
    let below = preview.summary(options) + messages.map { MessageRenderer().render($0, options) }.joined()
    if showsAll || consent.showsAll {
      try await PagerOutput(scope).say(preview.changes(options, showsAll: true), above: below)
    } else {
      // Two lines are reserved for the typed line and the prompt.
      let height = scope.context.program.console.height.map { $0 - below.count { $0 == "\n" } - 2 }
      scope.context.program.console.writeMessage(preview.changes(options, height: height) + below)
    }
    return outliers
  }

  /// Returns the destination, which is always visible: profile, vendor, host with its port, and whether it is
  /// writable.
  package static func heading(_ session: Session) -> PlanPreview.Target {
    let vendor = session.credentials.vendorID.map { String($0) } ?? session.credentials.identifier
    return PlanPreview.Target(
      profile: session.server.profile?.value, vendor: session.server.hasVendorAccounts ? vendor : nil,
      host: session.server.authority ?? (session.settings.language == .korean ? "내장" : "embedded"),
      access: session.server.access.value.rawValue)
  }
}

extension CommandScope {
  /// Throws if the session is read-only, or if the profile applies signed plans only, before anything is read or asked.
  ///
  /// - Parameter checksApproval: Whether the command checks the approval of what it writes itself, as `apply` does.
  /// - Throws: `CommandError` with exit status 4, which says whether the profile or an option forbids writing.
  package func requireWritable(checksApproval: Bool = false) throws {
    guard mode == .write else { return }
    try requireChangeable()
    if session.server.apply.value == .signed, !checksApproval {
      throw CommandError(
        .blocked,
        .failure(
          "This profile applies signed plans only. Nothing was sent.", ko: "서명된 계획만 적용하는 프로필입니다. 아무것도 보내지 않았습니다."
        )
        .because("The profile is set to \(.command("apply=signed")).", ko: "프로필이 \(.command("apply=signed"))입니다.")
        .next(
          "Run \(.command("plan COMMAND to FILE")), then \(.command("approve FILE")) and \(.command("apply FILE")).",
          ko: "\(.command("plan 명령 to 파일")), \(.command("approve 파일")), \(.command("apply 파일")) 순서로 실행하세요."),
        code: .needsSignature)
    }
    guard session.server.access.value == .readOnly else { return StricterProfile.warn(in: self) }
    throw CommandError(
      .blocked,
      .failure("This session is read-only. Nothing was sent.", ko: "읽기 전용 세션입니다. 아무것도 보내지 않았습니다.")
        .because(
          session.server.access.origin == .option
            ? LocalizedText(
              "openmarket was started with \(.command("--read-only")).",
              ko: "openmarket을 \(.command("--read-only"))로 시작했습니다.")
            : LocalizedText("The profile is set to \(.command("access=ro")).", ko: "프로필이 \(.command("access=ro"))입니다.")),
      code: .readOnly)
  }

  /// Throws if a file describes the market and contains guesses that are not confirmed yet.
  private func requireChangeable() throws {
    guard let market = session.server.dialect?.value.marketDescription, !market.unchecked.isEmpty else { return }
    throw CommandError(.blocked, .uncheckedDescription(market), code: .unproven)
  }
}

/// The confirmation before a plan is written.
///
/// Outliers need an approval of their own, whatever the confirmation is.
package enum WriteQuestion {
  /// Asks if the profile requires it for the plan.
  case ofProfile
  /// Asks regardless of the profile, because values typed in an editor weren't shown yet.
  case always
  /// Asks in the command's own way after the preview, and throws if the user doesn't approve.
  case own((Plan) async throws -> Void)
  /// The command named the only change in a question of its own, so that no preview is needed.
  case answered

  var isAnswered: Bool { if case .answered = self { true } else { false } }
  var isOwn: Bool { if case .own = self { true } else { false } }

  func isAsked(of plan: Plan, _ confirm: ConfirmationPolicy) -> Bool {
    switch self {
    case .always: true
    case .own, .answered: false
    case .ofProfile:
      switch confirm {
      case .always: !plan.changes.isEmpty
      case .never: false
      case .bulk:
        plan.changes.count > 1
          || plan.changes.contains { change in
            switch change {
            case .delete: true
            case .create, .edit: false
            }
          }
      }
    }
  }
}

/// The result of previewing a plan and asking for confirmation.
package enum Approval {
  /// The plan without the changes that the user excluded.
  ///
  /// `hasOutliers` indicates that it contains outliers, which were approved.
  case approved(Plan, hasOutliers: Bool)
  /// The writes are only shown: in a dry run, and if only requests are printed.
  case shown(CommandResult)
}

/// The check that only the vendor's own products are written.
///
/// Once the current vendor is known, changes of other vendors' products are rejected before anything is sent.
package enum Ownership {
  /// Checks the products of a plan, as far as their vendors are known.
  ///
  /// - Throws: `CommandError` that names the first product of another vendor.
  package static func check(_ plan: Plan, _ session: Session) throws {
    try check(plan.changes.compactMap(\.product), session)
  }

  /// Checks products that are about to be written, before their new values are computed, because ownership matters more
  /// than an invalid price.
  ///
  /// - Parameters:
  ///   - products: The products.
  ///   - target: The target of the line, for suggesting one that selects only the vendor's own.
  ///   - command: The command.
  ///   - session: The session.
  /// - Throws: `CommandError` that names the first product of another vendor.
  package static func check(
    _ products: [Product], meantBy target: ProductSelector? = nil, of command: String = "", _ session: Session
  ) throws {
    guard let me = session.credentials.vendorID else { return }
    let foreign = products.filter { $0.vendorID.map { $0 != me } ?? false }
    guard let first = foreign.first, let owner = first.vendorID else { return }
    let vendor = first.vendor ?? ""
    var message =
      products.count == 1
      ? Message.failure(
        "Product \(first.id) is not yours. Nothing was sent.", ko: "\(first.id)번은 다른 판매자의 상품입니다. 아무것도 보내지 않았습니다.")
      : Message.failure(
        "\(foreign.count) of \(products.count) products \(foreign.count == 1 ? StyledText("is") : "are") not yours. Nothing was sent.",
        ko: "상품 \(products.count)개 중 \(foreign.count)개는 다른 판매자의 상품입니다. 아무것도 보내지 않았습니다.")
    let it =
      products.count == 1 ? LocalizedText("It", ko: "") : LocalizedText("Product \(first.id)", ko: "\(first.id)번: ")
    message = message.because(
      "\(it.english) belongs to vendor \(.foreign(vendor)) (\(owner)). You are logged in as vendor \(me).",
      ko: "\(it.korean)판매자 \(.foreign(vendor))(\(owner))의 상품이고, 현재 \(me)번 판매자로 로그인되어 있습니다.")
    if case .matching(let condition)? = target, products.count > foreign.count {
      let own = Condition.all([Condition.ofMe, condition])
      let line = "\(command) where \(own.description)"
      message = message.next(
        "To use only your own \(products.count - foreign.count), run \(.command(line)).",
        ko: "내 상품 \(products.count - foreign.count)개만 고르려면 \(.command(line), .object) 쓰세요.")
    }
    throw CommandError(.blocked, message, code: .notOwner)
  }
}

extension Condition {
  fileprivate static let ofMe = Condition.compare(.field(.vendor), .equal, .me)
}

/// The target `mine` in editions without vendors: the server is asked for each item whether our password is right.
package struct OwnershipProbe {
  /// The number of concurrent requests.
  private static let maxConcurrentReads = 8

  private let client: Client<MarketService>
  private let scope: CommandScope

  package init(_ client: Client<MarketService>, _ scope: CommandScope) {
    self.client = client
    self.scope = scope
  }

  /// Returns those of the products for which the password is right, in their order.
  ///
  /// - Throws: `CommandError` in a read-only session, because the request has the form of a write.
  package func among(_ products: [Product]) async throws -> [Product.ID] {
    guard scope.session.server.access.value == .readWrite else {
      throw CommandError(
        .blocked,
        .failure(
          "Cannot tell which products are yours. Nothing was sent.", ko: "어느 상품이 내 상품인지 알 수 없습니다. 아무것도 보내지 않았습니다."
        )
        .because(
          "In this edition, finding out requires sending an empty change, and this session is read-only.",
          ko: "이 API 버전에서는 내용 없는 수정 요청을 보내야 알 수 있는데, 읽기 전용 세션입니다."),
        code: .readOnly)
    }
    let (client, context) = (client, scope.context)
    // Missing credentials are reported once, before the first of many requests.
    _ = try VerifyPassword(0, boundary: context.stores.freshName()).makeRequest(to: client.service)
    let progress = ProgressLine(LocalizedText("Checking owners", ko: "소유자 확인 중"), scope)
    defer { progress.clear() }
    var mine: Set<Product.ID> = []
    var done = 0
    let questions = products.lazy.map { VerifyPassword($0.id, boundary: context.stores.freshName()) }
    try await BoundedTaskGroup.forEachConcurrently(of: questions, atOnce: OwnershipProbe.maxConcurrentReads) {
      question in
      (question.id, try await client.send(question))
    } take: { id, isOurs in
      if isOurs { mine.insert(id) }
      done += 1
      progress.show(done, of: products.count)
    }
    return products.map(\.id).filter { mine.contains($0) }
  }
}
