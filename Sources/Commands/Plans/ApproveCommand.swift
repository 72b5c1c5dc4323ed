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

/// `approve FILE`: shows a plan and signs it with an SSH key, for profiles that apply signed plans only.
///
/// It sends nothing.
package struct ApproveCommand: Command {
  package static let declaration = CommandDeclaration(
    "approve", group: .schedule, summary: LocalizedText("review and sign a saved plan", ko: "저장한 계획을 검토하고 서명"),
    usage: ["approve FILE [key FILE] [yes] [all]"],
    details: LocalizedText(
      "Shows the changes of a plan, asks, and writes the signature to FILE.sig with ssh-keygen. A profile with apply=signed applies a plan only with the signature of a key in allowed_signers.",
      ko:
        "계획의 변경을 보여 주고 물은 뒤 ssh-keygen으로 서명해 FILE.sig에 저장합니다. apply=signed인 프로필은 allowed_signers에 있는 키로 서명한 계획만 적용합니다."),
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

  /// The names of the private keys that ssh-keygen makes, the first of which is the default.
  private static let defaultKeys = ["id_ed25519", "id_ed25519_sk", "id_ecdsa", "id_ecdsa_sk", "id_rsa"]

  private let consent: WriteOptions
  private let file: String
  private let key: String?

  package init(_ invocation: ParsedCommand) {
    consent = WriteOptions(invocation)
    file = invocation.text("FILE") ?? ""
    key = invocation.text("key")
  }

  /// - Throws: `CommandError` for a plan that is expired, edited or of another market, and if it isn't signed; `FileError`.
  package func run(in scope: inout CommandScope) async throws -> CommandResult {
    let home = scope.context.environment["HOME"]
    let source = try PlanSource(Paths.expanded(file, home: home))
    let plan = try PlanFile(source.text(), named: file, scope.session.settings.limits)
    try PlanApproval(plan, from: source, named: file).checkExpiry(at: Timestamp(scope.context.now()))
    guard !plan.isEdited else { throw edited }
    let market = try await scope.marketClient()
    try DestinationCheck(plan.destination).check(
      PlanFile.Destination(scope.session, at: market.service.baseURL), named: file)
    let key = try key.map { Paths.expanded($0, home: home) } ?? ApproveCommand.defaultKey(home)
    try await WriteApproval.preview(
      plan.plan, notes: [origin(of: plan)], consent: consent, in: scope)
    if let result = scope.resultWithoutSaving { return result }
    if !consent.yes, !scope.context.assumesYes {
      try await scope.confirm(
        LocalizedText("Sign? [y/N] ", ko: "서명할까요? [y/N] "),
        unattended: .failure("Not confirmed. Nothing was signed.", ko: "확인이 필요합니다. 서명하지 않았습니다.")
          .next("Add \(.command("yes")) to the command.", ko: "명령 끝에 \(.command("yes"), .object) 붙이세요."),
        declined: .note("Canceled. Nothing was signed.", ko: "취소했습니다. 서명하지 않았습니다."))
    }
    let signature = try await PlanSignature(scope.context).sign(source.bytes, key: key)
    let path = PlanSignature.path(of: source.path)
    try Files.write(Data(signature.utf8), to: path)
    return .message(
      .success(
        "Signed \(.value(file)). The signature is in \(.value(PlanSignature.path(of: file))).",
        ko: "\(.value(file)) 계획에 서명했습니다. 서명은 \(.value(PlanSignature.path(of: file)))에 있습니다."
      ).next(
        "Run \(.command(plan.sale == nil ? "apply \(file)" : "due apply")) to apply it.",
        ko: "적용하려면 \(.command(plan.sale == nil ? "apply \(file)" : "due apply"), .object) 실행하세요."))
  }

  /// Returns a note with who made the plan, by what line, and until when it is valid.
  private func origin(of plan: PlanFile) -> Message {
    let maker = [plan.actor?.description, plan.maker].compactMap(\.self).joined(separator: ", ")
    var note = Message.note(
      "Made by \(.foreign(maker.isEmpty ? "-" : maker)) with \(.command(plan.command)).",
      ko: "만든 쪽: \(.foreign(maker.isEmpty ? "-" : maker)), 명령: \(.command(plan.command)).")
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
