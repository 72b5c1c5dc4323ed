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

  /// Version 2 has `id`, `digest`, `maker` and a digest of each change; version 1 is read as well.
  package static let version = 2
  /// Bytes; a plan holds the pictures of the products it makes.
  package static let mostBytes = 256 << 20

  /// Names the plan for good, however it is edited: the journal knows by it which changes were applied.
  package var id: String
  package var place: Destination
  /// When it was made, in UTC.
  package var made: Timestamp
  /// The name of the account that made it; nil where that is not known.
  package var maker: String?
  /// The line it was made from; for people.
  package var command: String
  package var note: String?
  /// When it may be made, in UTC; nil for a plan that has no time of its own.
  package var due: Timestamp?
  package var plan: Plan
  /// The file does not say any more what it said when it was made.
  package var isEdited = false

  package init(
    id: String, place: Destination, made: Timestamp, maker: String?, command: String, note: String? = nil,
    due: Timestamp? = nil, plan: Plan
  ) {
    self.id = id
    self.maker = maker
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
    let lines = ([("openmarket_plan", JSON.int(PlanFile.version)), ("digest", .string(digest))] + head).map {
      "  \"\($0)\": \($1.text),\n"
    }.joined()
    let changes = zip(plan.changes, digests).map { change, digest in
      "    " + JSON.object(PlanFile.members(of: change) + [("digest", .string(digest))]).text
    }.joined(separator: ",\n")
    return "{\n" + lines + "  \"changes\": [" + (changes.isEmpty ? "" : "\n" + changes + "\n  ") + "]\n}\n"
  }

  /// A digest of everything that the file says: SHA-256 over the members of its head, a line each, and over the digests of
  /// its changes, a line each. Whoever approves a plan approves this.
  package var digest: String {
    let lines = head.map { "\($0) \($1.text)" } + digests
    return SHA256.hex(Data(lines.joined(separator: "\n").utf8))
  }

  /// Tells the changes apart: the first 16 hexadecimal digits of the SHA-256 of each as the file has it.
  package var digests: [String] {
    plan.changes.map { String(SHA256.hex(Data(JSON.object(PlanFile.members(of: $0)).text.utf8)).prefix(16)) }
  }

  /// Returns the id of a plan of version 1, which has none: what it was made from stays the same however it is edited.
  static func idOfVersion1(_ place: Destination, _ made: Timestamp, _ command: String) -> String {
    let text = [place.profile, place.baseURL, made.description, command].joined(separator: "\n")
    return "1-" + SHA256.hex(Data(text.utf8)).prefix(16)
  }

  /// What the plan is bound to, in the order of the file.
  private var head: [(String, JSON)] {
    let head: [(String, JSON)] = [
      ("id", .string(id)), ("made", .string(made.description)), ("maker", maker.map { .string($0) } ?? .null),
      ("command", .string(command)), ("note", note.map { .string($0) } ?? .null),
    ]
    let time: [(String, JSON)] = due.map { [("due", .string($0.description))] } ?? []
    let place: [(String, JSON)] = [
      ("profile", .string(self.place.profile)), ("base_url", .string(self.place.baseURL)),
      ("vendor_id", self.place.vendor.map { .int($0) } ?? .null),
      ("login", self.place.login.map { .string($0) } ?? .null),
    ]
    return head + time + place
  }

  private static func members(of change: Change) -> [(String, JSON)] {
    switch change {
    case .create(let draft): [("create", json(Fields(of: draft), pictures: draft.pictures))]
    case .edit(let product, let from, let to):
      [
        ("edit", .int(product.id)), ("name", .string(product.name ?? "")), ("from", json(from)),
        ("to", json(to, pictures: to.pictures)),
      ]
    case .delete(let product): [("delete", .int(product.id)), ("from", json(Fields(of: product).withoutThumbnail))]
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

extension Fields {
  /// The chosen picture is known by the list of pictures, which a plan does not hold: what is read back has none.
  fileprivate var withoutThumbnail: Fields {
    var fields = self
    fields.thumbnail = nil
    return fields
  }
}
