import Catalog
import Foundation
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// The approval of a plan file before it is applied: its expiry, and what the profile's `apply` asks for.
package struct PlanApproval {
  private let plan: PlanFile
  private let source: PlanSource
  private let name: String

  /// Creates the check of a plan.
  ///
  /// Errors refer to the plan as `name`.
  package init(_ plan: PlanFile, from source: PlanSource, named name: String) {
    self.plan = plan
    self.source = source
    self.name = name
  }

  /// Checks the plan without reading the market.
  ///
  /// - Parameter scope: The scope of the command that applies it.
  /// - Returns: Who decided the plan and who approved it, and the confirmation that it needs.
  /// - Throws: `CommandError` with exit status 4 for a plan that may not be applied.
  package func check(in scope: CommandScope) async throws -> (attribution: Attribution, question: WriteQuestion) {
    try checkExpiry(at: Timestamp(scope.context.now()))
    let isOfAgent = plan.actor?.isAgent == true
    var attribution = Attribution(isOfAgent ? plan.actor ?? .person : scope.actor)
    switch scope.session.server.apply.value {
    case .signed where scope.mode == .write:
      attribution.approver = try await signer(in: scope)
      return (attribution, .ofProfile)
    case .person where scope.mode == .write && isOfAgent:
      guard scope.context.asker != nil else { throw needsPerson }
      attribution.approver = scope.context.account ?? ChangeActor.person.description
      let prompt = ConfirmationPrompt(scope)
      return (attribution, .own { plan in try await prompt.askForCount(of: plan) })
    case .anyone, .person, .signed: return (attribution, .ofProfile)
    }
  }

  /// - Throws: `CommandError` for a plan that is too old.
  package func checkExpiry(at now: Timestamp) throws {
    guard let expires = plan.expires, expires.seconds < now.seconds else { return }
    throw CommandError(
      .blocked,
      .failure(
        "\(.value(name)) expired at \(expires.description). Nothing was sent.",
        ko: "\(.value(name)) 계획은 \(expires.description)에 만료되었습니다. 아무것도 보내지 않았습니다."
      ).next(
        "Make the plan again; \(.command("plan valid 7d COMMAND to FILE")) makes one that is valid longer.",
        ko: "계획을 다시 만드세요. \(.command("plan valid 7d 명령 to 파일"), .topic) 더 오래 유효한 계획을 만듭니다."),
      code: .expired)
  }

  private func signer(in scope: CommandScope) async throws -> String {
    let signer = try await PlanSignature(scope.context).signer(of: source.bytes, at: source.path, named: name)
    guard !plan.isEdited else {
      throw CommandError(
        .blocked,
        .failure(
          "The digest in \(.value(name)) does not match its changes. Nothing was sent.",
          ko: "\(.value(name))의 digest가 변경 내용과 맞지 않습니다. 아무것도 보내지 않았습니다."
        ).next("Make the plan again, then approve it.", ko: "계획을 다시 만든 뒤 승인하세요."), code: .needsSignature)
    }
    if scope.session.server.two.value == .on, isMaker(signer) { throw needsSecondPerson(signer) }
    return signer
  }

  /// Returns whether a signer, such as `kim` or `kim@example.com`, is the account that made the plan.
  ///
  /// Without the name of that account, no signer counts as another person.
  private func isMaker(_ signer: String) -> Bool {
    guard let maker = plan.maker?.lowercased() else { return true }
    let signer = signer.lowercased()
    return signer == maker || signer.prefix { $0 != "@" } == maker
  }

  private var needsPerson: CommandError {
    CommandError(
      .blocked,
      .failure(
        "The plan \(.value(name)) was made by an agent and needs the confirmation of a person. Nothing was sent.",
        ko: "\(.value(name), .topic) 에이전트가 만든 계획이라 사람의 확인이 필요합니다. 아무것도 보내지 않았습니다."
      ).because(
        "The profile is set to \(.command("apply=person")).", ko: "프로필이 \(.command("apply=person"))입니다."
      ).next(
        "Run \(.command("apply \(name)")) at a terminal.", ko: "터미널에서 \(.command("apply \(name)"), .object) 실행하세요."),
      code: .needsPerson)
  }

  private func needsSecondPerson(_ signer: String) -> CommandError {
    CommandError(
      .blocked,
      .failure(
        "\(.value(name)) was signed by its maker. Nothing was sent.",
        ko: "\(.value(name)) 계획을 만든 사람이 서명했습니다. 아무것도 보내지 않았습니다."
      ).because(
        "The profile is set to \(.command("two=on")), and \(.value(signer)) made the plan.",
        ko: "프로필이 \(.command("two=on"))이고, \(.value(signer), .subject) 만든 계획입니다."
      ).next("Ask another person to sign it.", ko: "다른 사람에게 서명을 부탁하세요."), code: .needsSecondPerson)
  }
}
