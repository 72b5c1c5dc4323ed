import Catalog
import CommandLanguage
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// `approve FILE`: shows a plan as it would be applied now and signs it with an SSH key, for profiles that apply signed plans
/// only.
///
/// The products are read from the market, because the file has only what its maker states. Nothing is changed.
package struct ApproveCommand: Command {
  package static let declaration = CommandDeclaration(
    "approve", group: .schedule, summary: LocalizedText("review and sign a saved plan", ko: "저장한 계획을 검토하고 서명"),
    usage: ["approve FILE [key FILE] [yes] [all]"],
    details: LocalizedText(
      "Reads the products of a plan, shows its changes, asks, and writes the signature to FILE.sig with ssh-keygen. A plan whose products changed is not signed. A profile with apply=signed applies a plan only with the signature of a key in allowed_signers; with two=on a second person signs, too, in FILE.sig2.",
      ko:
        "계획의 상품을 읽어 변경을 보여 주고 물은 뒤 ssh-keygen으로 서명해 FILE.sig에 저장합니다. 그사이 바뀐 상품이 있는 계획에는 서명하지 않습니다. apply=signed인 프로필은 allowed_signers에 있는 키로 서명한 계획만 적용합니다. two=on이면 두 번째 사람도 서명하며, FILE.sig2에 저장합니다."
    ),
    parameters: [
      Parameter(
        "FILE", .positional(required: true), kind: .file,
        summary: LocalizedText("plan file, as saved by plan", ko: "plan으로 만든 파일")),
      Parameter(
        "key", .option, kind: .file,
        summary: LocalizedText("private SSH key (default: the first in ~/.ssh)", ko: "SSH 개인 키(기본: ~/.ssh의 첫 번째 키)")),
      Parameter("yes", .flag, kind: .none, summary: LocalizedText("sign without asking", ko: "묻지 않고 서명")),
      .showingAll,
    ],
    examples: [
      .init("approve sale.json", "asks, then writes sale.json.sig", ko: "물은 뒤 sale.json.sig 저장"),
      .init("approve sale.json key ~/.ssh/id_ed25519", "with this key", ko: "이 키로 서명"),
    ])

  /// The names of the private keys that ssh-keygen makes, beginning with the default.
  private static let defaultKeys = ["id_ed25519", "id_ed25519_sk", "id_ecdsa", "id_ecdsa_sk", "id_rsa"]

  private let consent: WriteOptions
  private let file: String
  private let key: String?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    file = invocation.text("FILE") ?? ""
    key = invocation.text("key")
  }

  /// - Throws: `CommandError` for a plan that is expired, edited, of another market or of products that changed, and if it
  ///   isn't signed; the errors of reading the products; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let home = scope.context.program.environment["HOME"]
    let source = try PlanSource(Paths.expanded(file, home: home))
    let plan = try PlanFile(source.text(), named: file, scope.session.limits)
    try PlanApproval(plan, from: source, named: file).checkExpiry(at: scope.context.clock.timestamp)
    guard !plan.isEdited else { throw edited }
    let market = try await scope.marketClient()
    try await DestinationCheck(plan.destination).check(market, named: file, in: scope)
    let key = try key.map { Paths.expanded($0, home: home) } ?? ApproveCommand.defaultKey(home)
    let signatures = PlanSignature.paths(of: source.path)
    for path in signatures { try ProtectedOutputFile(path, scope.context).checkReplaceable(by: PlanSignature.head) }
    let (current, notes) = try await current(plan, from: source, at: market, in: scope)
    guard !current.changes.isEmpty else {
      for note in notes { scope.say(note) }
      return .message(
        .note(
          "Nothing is left to change. Nothing was signed.", ko: "더 바꿀 것이 없습니다. 서명하지 않았습니다."))
    }
    try await WriteApproval.preview(
      current, notes: notes + [origin(of: plan)], consent: consent, in: scope)
    if let result = scope.resultWithoutSaving { return result }
    if !consent.yes, !scope.context.program.assumesYes {
      try await scope.confirm(
        LocalizedText("Sign? [y/N] ", ko: "서명할까요? [y/N] "),
        unattended: .failure("Not confirmed. Nothing was signed.", ko: "확인이 필요합니다. 서명하지 않았습니다.")
          .next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
        declined: .note("Canceled. Nothing was signed.", ko: "취소했습니다. 서명하지 않았습니다."))
    }
    let signing = PlanSignature(scope.context.program, home: scope.context.stores.home)
    let signature = try await signing.sign(source.bytes, key: key)
    var (index, isComplete) = (0, true)
    if scope.session.server.two.value == .on {
      // The signature of another person stays.
      var keys: [Data?] = []
      for path in signatures { keys.append(await signing.key(of: source.bytes, at: path)) }
      let mine = PlanSignature.key(in: signature)
      index = keys[0] == nil || keys[0] == mine ? 0 : 1
      isComplete = index == 1 || keys[1] != nil && keys[1] != mine
    }
    try ProtectedOutputFile(signatures[index], scope.context).write(Data(signature.utf8))
    let written = PlanSignature.paths(of: file)[index]
    let signed = Message.success(
      "Signed \(.value(file)). The signature is in \(.value(written)).",
      ko: "\(.value(file)) 계획에 서명했습니다. 서명은 \(.value(written))에 있습니다.")
    guard isComplete else {
      return .message(
        signed.next(
          "Ask another person to run \(.command("approve \(file)")), too.",
          ko: "다른 사람도 \(.command("approve \(file)"), .object) 실행해야 합니다."))
    }
    return .message(
      signed.next(
        "Run \(.command(plan.sale == nil ? "apply \(file)" : "due apply")) to apply it.",
        ko: "적용하려면 \(.command(plan.sale == nil ? "apply \(file)" : "due apply"), .object) 실행하세요."))
  }

  /// Returns the changes as they would be applied to the products as they are now, with notes.
  ///
  /// - Throws: `CommandError` if products changed since the plan was made; the errors of reading the products.
  private func current(
    _ plan: PlanFile, from source: PlanSource, at market: Client<MarketService>, in scope: CommandScope
  ) async throws -> (plan: Plan, notes: [Message]) {
    let (planned, returned) = try PlanFileExecution(plan, from: source, named: file, consent).followed(
      scope.context.stores)
    if let rule = plan.sale { return try await current(planned, rule, returned, at: market, in: scope) }
    var current = try await DriftCheck(planned).plan(from: market, in: scope)
    let drifted = current.rows.filter(\.isDrifted)
    guard drifted.isEmpty else { throw ApproveCommand.drifted(drifted, of: current.rows.count) }
    current.computesPrices = current.hasVariousPrices
    let count = current.rows.count
    let settled = count - current.changes.count
    guard settled > 0 else { return (current, returned) }
    return (
      current,
      returned + [
        .note(
          "\(settled) of \(count) changes \(settled == 1 ? StyledText("is") : "are") in effect already.",
          ko: "변경 \(count)건 중 \(settled)건은 이미 되어 있습니다.")
      ]
    )
  }

  /// Returns what a sale would do now: its rule decides, and not the changes that the file shows.
  private func current(
    _ planned: Plan, _ rule: SaleRule, _ notes: [Message], at market: Client<MarketService>, in scope: CommandScope
  ) async throws -> (plan: Plan, notes: [Message]) {
    let ids = planned.changes.compactMap { $0.product?.id }
    let products = try await ProductReader(market, scope).find(ids, optional: Set(ids))
    let gone = planned.changes.filter { $0.product.map { products[$0.id] == nil } ?? true }
    guard gone.isEmpty else {
      throw ApproveCommand.drifted(gone.map { Plan.Row($0, unsent: .drifted([])) }, of: planned.changes.count)
    }
    var current = Plan()
    current.computesPrices = true
    for product in ids.compactMap({ products[$0] }) {
      let discount = product.discount ?? .zero
      guard let lowered = try rule.discount(of: product), lowered > discount else { continue }
      current.append(product, from: ProductValues(discount: discount), to: ProductValues(discount: lowered))
    }
    let note = Message.note(
      "A sale of \(rule.percent)% for \(ids.count) \(ids.count == 1 ? StyledText("product") : "products") until \(LocalTime(rule.end).description). The discounts are computed from the prices when it starts.",
      ko:
        "상품 \(ids.count)개, \(rule.percent)% 할인, \(LocalTime(rule.end).description)까지. 할인액은 할인이 시작될 때의 정가로 계산합니다.")
    return (current, notes + [note])
  }

  /// The error for a plan whose products changed.
  private static func drifted(_ drifted: [Plan.Row], of count: Int) -> CommandError {
    let message = Message.failure(
      "\(drifted.count) of \(count) products changed since the plan was made. Nothing was signed.",
      ko: "\(count)개 중 \(drifted.count)개는 계획한 뒤에 바뀌었습니다. 서명하지 않았습니다.")
    return CommandError(
      .blocked,
      message.because(first: 10, of: drifted) { one in
        let id = one.planned.product?.id ?? 0
        guard case .drifted(let fields)? = one.outcome, !fields.isEmpty else {
          return LocalizedText("product \(id) was deleted", ko: "\(id)번 상품이 삭제되었습니다")
        }
        return LocalizedText(
          "product \(id): \(ProductField.list(fields, .english))",
          ko: "\(id)번 상품: \(ProductField.list(fields, .korean))")
      }.next("Make the plan again, then approve it.", ko: "계획을 다시 만든 뒤 승인하세요."), code: .drift)
  }

  /// Returns a note with what only the file says: who made the plan, by what line, and until when it is valid.
  private func origin(of plan: PlanFile) -> Message {
    let maker = [plan.actor?.description, plan.maker].compactMap(\.self).joined(separator: ", ")
    var note = Message.note(
      "As the file says, made by \(.foreign(maker.isEmpty ? "-" : maker)) with \(.command(plan.command)).",
      ko: "파일에 적힌 내용: 만든 쪽 \(.foreign(maker.isEmpty ? "-" : maker)), 명령 \(.command(plan.command)).")
    if let text = plan.note { note = note.because("Note: \(.foreign(text))", ko: "메모: \(.foreign(text))") }
    if let expires = plan.expires {
      note = note.because(
        "It is valid until \(LocalTime(expires).description).", ko: "\(LocalTime(expires).description)까지 유효합니다.")
    }
    return note
  }

  private var edited: CommandError {
    CommandError(
      .blocked,
      .failure(
        "\(.value(file)) was edited after it was created. Nothing was signed.",
        ko: "\(.value(file), .topic) 저장한 뒤에 수정된 계획입니다. 서명하지 않았습니다."
      ).next("Make the plan again, then approve it.", ko: "계획을 다시 만든 뒤 승인하세요."), code: .needsSignature)
  }

  private static func defaultKey(_ home: String?) throws -> String {
    let folder = (home ?? "") + "/.ssh/"
    if let name = defaultKeys.first(where: { access(folder + $0, R_OK) == 0 }) { return folder + name }
    throw CommandError(
      .blocked,
      .failure("There is no SSH key to sign with.", ko: "서명할 SSH 키가 없습니다.").next(
        "Run \(.command("ssh-keygen -t ed25519")) to make one, or name one with \(.command("key FILE")).",
        ko: "\(.command("ssh-keygen -t ed25519"), .toward) 만들거나 \(.command("key 파일"), .toward) 지정하세요."),
      code: .needsSignature)
  }
}
