import Catalog
import Failures
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Platform
import Presentation
import Text

/// A batch decided now and made later: frozen changes with the values before them, bound to where they were decided.
package struct PlanFile: Hashable, Sendable {
  /// Where it may be made: nowhere else.
  package struct Destination: Hashable, Sendable {
    package var profile: String
    package var baseURL: String
    package var vendor: Int?
    /// Tells one login from another without holding it.
    package var login: String?

    package init(profile: String, baseURL: String, vendor: Int? = nil, login: String? = nil) {
      self.profile = profile
      self.baseURL = baseURL
      self.vendor = vendor
      self.login = login
    }
  }

  package static let version = 1
  /// Bytes; a plan holds the pictures of the products it makes.
  package static let mostBytes = 256 << 20

  package var place: Destination
  /// When it was made, in UTC.
  package var made: Timestamp
  /// The line it was made from; for people.
  package var command: String
  package var note: String?
  /// When it may be made, in UTC; nil for a plan that has no time of its own.
  package var due: Timestamp?
  package var plan: Plan

  package init(
    place: Destination, made: Timestamp, command: String, note: String? = nil, due: Timestamp? = nil, plan: Plan
  ) {
    self.due = due
    self.place = place
    self.made = made
    self.command = command
    self.note = note
    self.plan = plan
  }
}

extension PlanFile.Destination {
  /// What stands for an identifier in a plan. FNV-1a: enough to tell logins apart, too little to find one out.
  package static func digest(_ text: String) -> String {
    var hash: UInt32 = 2_166_136_261
    for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }
}

/// A plan is made where it was decided, by whom it was decided, or not at all.
package struct PlanBinding {
  private let planned: PlanFile.Destination

  package init(_ planned: PlanFile.Destination) { self.planned = planned }

  /// Lets a plan pass that was decided here, by whoever is logged in.
  ///
  /// - Throws: `Failure` that names every side in which the two places differ; nothing was sent.
  package func check(_ here: PlanFile.Destination, named path: String) throws(Failure) {
    guard planned != here else { return }
    var message = Message.failure(
      "\(.value(path)) was planned for another place; nothing was sent.",
      ko: "\(.value(path), .topic) 다른 곳을 위한 계획이라 아무것도 보내지 않았습니다.")
    for (what, theirs, ours) in sides(here) where theirs != ours {
      message = message.because(
        "Its \(what.english) is \(.foreign(theirs)); here it is \(.foreign(ours)).",
        ko: "\(what.korean): 계획에는 \(.foreign(theirs)), 여기는 \(.foreign(ours)).")
    }
    if planned.vendor == here.vendor, planned.login != here.login {
      message = message.because("It is for another login.", ko: "다른 로그인의 계획입니다.")
    }
    throw Failure(.heldBack, message)
  }

  /// What a place is known by, as the plan has it and as it is here.
  private func sides(_ here: PlanFile.Destination) -> [((english: String, korean: String), String, String)] {
    [
      (("profile", "프로필"), planned.profile, here.profile), (("address", "주소"), planned.baseURL, here.baseURL),
      (("vendor", "판매자"), number(planned.vendor), number(here.vendor)),
    ]
  }

  private func number(_ vendor: Int?) -> String { vendor.map { String($0) } ?? "-" }
}

extension PlanFile {
  /// Reads a plan that may have been edited by hand: every key and value is checked as if it had been typed.
  ///
  /// - Throws: `Failure` with everything that is wrong and where.
  package init(_ text: String, named path: String, _ policy: LimitPolicy) throws {
    guard let object = (try? JSON(parsing: Data(text.utf8)))?.object else {
      throw PlanFile.unusable(path, [LocalizedText("it is no JSON object", ko: "JSON 객체가 아닙니다")])
    }
    var reader = PlanReader(object, policy)
    guard let file = reader.read(), reader.problems.isEmpty else { throw PlanFile.unusable(path, reader.problems) }
    self = file
  }

  private static func unusable(_ path: String, _ problems: [LocalizedText]) -> Failure {
    var message = Message.failure(
      "\(.value(path)) is no plan that can be applied; nothing was sent.",
      ko: "\(.value(path), .topic) 적용할 수 있는 계획이 아니라 아무것도 보내지 않았습니다.")
    for problem in problems { message = message.because(problem) }
    return Failure(.misread, message)
  }
}

extension PlanFile {
  /// JSON for people and for `diff`: what it is bound to first, then a line a change.
  package var text: String {
    let head: [(String, JSON)] = [
      ("openmarket_plan", .int(PlanFile.version)), ("made", .string(made.description)),
      ("command", .string(command)), ("note", note.map { .string($0) } ?? .null),
    ]
    let time: [(String, JSON)] = due.map { [("due", .string($0.description))] } ?? []
    let place: [(String, JSON)] = [
      ("profile", .string(self.place.profile)), ("base_url", .string(self.place.baseURL)),
      ("vendor_id", self.place.vendor.map { .int($0) } ?? .null),
      ("login", self.place.login.map { .string($0) } ?? .null),
    ]
    let lines = (head + time + place).map { "  \"\($0)\": \($1.text),\n" }.joined()
    let changes = plan.changes.map { "    " + PlanFile.json($0).text }.joined(separator: ",\n")
    return "{\n" + lines + "  \"changes\": [" + (changes.isEmpty ? "" : "\n" + changes + "\n  ") + "]\n}\n"
  }

  private static func json(_ change: Change) -> JSON {
    switch change {
    case .create(let draft): .object([("create", json(Fields(of: draft), pictures: draft.pictures))])
    case .edit(let product, let from, let to):
      .object([
        ("edit", .int(product.id)), ("name", .string(product.name ?? "")), ("from", json(from)),
        ("to", json(to, pictures: to.pictures)),
      ])
    case .delete(let product):
      .object([("delete", .int(product.id)), ("from", json(Fields(of: product)))])
    }
  }

  private static func json(_ fields: Fields, pictures: [PictureFile]? = nil) -> JSON {
    var members: [(String, JSON)] = []
    if let name = fields.name { members.append(("name", .string(name))) }
    if let text = fields.description { members.append(("description", .string(text))) }
    if let price = fields.price { members.append(("price", json(price))) }
    if let discount = fields.discount { members.append(("discount", json(discount))) }
    if let currency = fields.currency { members.append(("currency", .string(currency.code))) }
    if let stock = fields.stock { members.append(("stock", .int(stock))) }
    if let thumbnail = fields.thumbnail { members.append(("thumbnail", .int(thumbnail))) }
    if let pictures { members.append(("images", .array(pictures.map(json)))) }
    return .object(members)
  }

  private static func json(_ amount: Amount) -> JSON {
    JSONNumber(amount.description).map { .number($0) } ?? .string(amount.description)
  }

  private static func json(_ picture: PictureFile) -> JSON {
    .object([
      ("name", .string(picture.name)), ("type", .string(picture.type)),
      ("base64", .string(picture.bytes.base64EncodedString())),
    ])
  }
}
