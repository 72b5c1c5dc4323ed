import Catalog
import Foundation
import Language
import Presentation

/// Asks for the fields of a new product one after another, checking as one types.
struct DraftForm {
  private let asker: any Asker
  private let tongue: Tongue
  private let policy: LimitPolicy
  private let home: String?

  init(_ asker: any Asker, _ tongue: Tongue, _ policy: LimitPolicy, home: String?) {
    self.asker = asker
    self.tongue = tongue
    self.policy = policy
    self.home = home
  }

  /// Fills what is missing; leaving the form throws, and nothing is sent.
  func complete(_ fields: inout DraftFields) async throws {
    if fields.name == nil { try await ask(.name, &fields) }
    if fields.description == nil { try await ask(.description, &fields) }
    if fields.currency == nil { try await ask(.currency, &fields) }
    if fields.price == nil { try await ask(.price, &fields) }
    if fields.discount == nil { try await ask(.discount, &fields, otherwise: "0") }
    if fields.stock == nil { try await ask(.stock, &fields, otherwise: "0") }
    if fields.images == nil { try await ask(.images, &fields) }
  }

  private func ask(_ field: Field, _ fields: inout DraftFields, otherwise: String? = nil) async throws {
    switch await asker.field(question(field, fields, otherwise)) {
    case .text(let text): try fields.set(field.rawValue, text.isEmpty ? otherwise ?? text : text, policy)
    case .left:
      throw Failure(.heldBack, .note("Left the form; nothing was sent.", ko: "입력을 그만두어 아무것도 보내지 않았습니다."))
    }
  }

  private func question(_ field: Field, _ fields: DraftFields, _ otherwise: String?) -> FormQuestion {
    let checks = Language.FormField(field, limits: policy)
    let price = fields.price
    let tongue = tongue
    let home = home
    return FormQuestion(
      prompt: label(field, otherwise),
      allowsTyping: { checks.allowsTyping($0) },
      problem: { text in
        if text.isEmpty, otherwise != nil { return nil }
        if field == .images { return DraftForm.pictureProblem(text, home)?[tongue].plain }
        if field == .discount, let price, let discount = Amount(typed: text), discount > price {
          return Wording("A discount is at most the price.", ko: "할인은 가격을 넘을 수 없습니다.")[tongue].plain
        }
        return checks.problem(of: text)?[tongue].plain
      },
      counter: { checks.counter(of: $0) },
      candidates: { DraftForm.candidates(field, $0, home) })
  }

  private func label(_ field: Field, _ otherwise: String?) -> String {
    let rest = otherwise.map { " [\($0)]" } ?? ""
    return field.title[tongue].plain + rest + ": "
  }

  private static func pictureProblem(_ text: String, _ home: String?) -> Wording? {
    let paths = text.split(separator: ",").map(String.init)
    guard Limits.pictures.contains(paths.count) else {
      return Wording("1 to 5 picture files, with commas between them.", ko: "그림 파일 1개에서 5개까지, 쉼표로 나눕니다.")
    }
    for path in paths {
      guard let failure = PictureFiles.problem(Paths.expanded(path, home: home)) else { continue }
      return failure.message.reasons.first ?? failure.message.what
    }
    return nil
  }

  private static func candidates(_ field: Field, _ text: String, _ home: String?) -> [Candidate] {
    switch field {
    case .currency: Currency.documented.map { Candidate($0.code) }
    case .images:
      PathCompletion.files(
        text.split(separator: ",", omittingEmptySubsequences: false).last.map(String.init) ?? "", home: home
      )
      .map { Candidate($0, endsWord: false) }
    case .id, .name, .description, .price, .discount, .sale, .stock, .vendor, .vendorID, .created, .modified,
      .thumbnail:
      []
    }
  }
}
