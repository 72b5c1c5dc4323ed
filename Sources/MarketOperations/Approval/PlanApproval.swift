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
    try checkExpiry(at: scope.context.clock.timestamp)
    let isOfAgent = plan.actor?.isAgent == true
    var attribution = Attribution(isOfAgent ? plan.actor ?? .person : scope.actor)
    switch scope.session.server.apply.value {
    case .signed where scope.mode == .write:
      attribution.approver = try await signer(in: scope)
      return (attribution, .ofProfile)
    case .person where scope.mode == .write && isOfAgent:
      guard scope.context.program.asker != nil else { throw needsPerson }
      attribution.approver = scope.context.program.account() ?? ChangeActor.person.description
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

  /// Returns the names of those who signed the plan: one, or with `two=on` two persons.
  private func signer(in scope: CommandScope) async throws -> String {
    let signature = PlanSignature(scope.context.program, home: scope.context.stores.home)
    let first = try await signature.signer(of: source.bytes, at: PlanSignature.path(of: source.path), named: name)
    guard !plan.isEdited else {
      throw CommandError(
        .blocked,
        .failure(
          "The digest in \(.value(name)) does not match its changes. Nothing was sent.",
          ko: "\(.value(name))의 digest가 변경 내용과 맞지 않습니다. 아무것도 보내지 않았습니다."
        ).next("Make the plan again, then approve it.", ko: "계획을 다시 만든 뒤 승인하세요."), code: .needsSignature)
    }
    guard scope.session.server.two.value == .on else { return first.name }
    let path = PlanSignature.secondPath(of: source.path)
    guard access(path, F_OK) == 0 else { throw needsSecondPerson(first, nil) }
    let second = try await signature.signer(of: source.bytes, at: path, named: name)
    guard first.isOtherPerson(than: second) else { throw needsSecondPerson(first, second) }
    return "\(first.name), \(second.name)"
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

  private func needsSecondPerson(_ first: PlanSignature.Signer, _ second: PlanSignature.Signer?) -> CommandError {
    let reason: LocalizedText
    if let second {
      let names = "\(first.name), \(second.name)"
      reason = LocalizedText(
        "The profile is set to \(.command("two=on")), and the list of allowed signers does not say that the two keys belong to two persons: \(.foreign(names)).",
        ko: "프로필이 \(.command("two=on"))인데, 두 키가 두 사람의 것이라고 서명자 목록에 적혀 있지 않습니다: \(.foreign(names)).")
    } else {
      reason = LocalizedText(
        "The profile is set to \(.command("two=on")), and only \(.foreign(first.name)) signed it.",
        ko: "프로필이 \(.command("two=on"))인데, \(.foreign(first.name), .subject) 혼자 서명했습니다.")
    }
    return CommandError(
      .blocked,
      .failure(
        "\(.value(name)) needs the signatures of two persons. Nothing was sent.",
        ko: "\(.value(name)) 계획에는 두 사람의 서명이 필요합니다. 아무것도 보내지 않았습니다."
      ).because(reason).next(
        "Ask another person to run \(.command("approve \(name)")), too.",
        ko: "다른 사람도 \(.command("approve \(name)"), .object) 실행해야 합니다."), code: .needsSecondPerson)
  }
}
