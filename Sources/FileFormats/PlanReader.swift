import Catalog
import CommandLanguage
import Networking
import Text
import WriteJournal

/// Decodes the JSON of a plan file.
///
/// All errors are collected instead of stopping at the first.
struct PlanReader {
  private(set) var problems: [LocalizedText] = []
  private let object: JSONObject
  private let policy: LimitPolicy

  private static let keys = [
    "openmarket_plan", "id", "digest", "made", "maker", "actor", "command", "note", "due", "expires", "sale", "profile",
    "base_url", "vendor_id",
    "login", "changes",
  ]

  init(_ object: JSONObject, _ policy: LimitPolicy) {
    self.object = object
    self.policy = policy
  }

  /// Returns the plan, or `nil` if the object isn't a plan.
  mutating func read() -> PlanFile? {
    guard let version = try? object.int("openmarket_plan") else {
      problems.append(LocalizedText("the file is not marked as a plan", ko: "계획 파일이라는 표시가 없습니다"))
      return nil
    }
    guard version == PlanFile.version || version == PlanFile.saleVersion else {
      problems.append(LocalizedText("unsupported plan version: \(version)", ko: "지원하지 않는 계획 파일 형식: \(version)"))
      return nil
    }
    checkKeys(of: object, PlanReader.keys, nil)
    guard let profile = (try? object.string("profile")) ?? nil, let url = (try? object.string("base_url")) ?? nil,
      let made = (try? object.string("made")).flatMap({ $0 }).flatMap({ Timestamp($0) }),
      let elements = object["changes"]?.array
    else {
      problems.append(
        LocalizedText(
          "made, profile, base_url or changes is missing", ko: "made, profile, base_url, changes 중 빠진 것이 있습니다"))
      return nil
    }
    let (due, expires) = (time("due"), time("expires"))
    let sale = object["sale"].flatMap { SaleRule($0) }
    if (version == PlanFile.saleVersion) != (sale != nil && due != nil) || (object["sale"] != nil) != (sale != nil) {
      problems.append(LocalizedText("invalid rule of a sale", ko: "할인 규칙이 올바르지 않습니다"))
    }
    let actor = (try? object.string("actor")) ?? nil
    if let actor, ChangeActor(actor) == nil {
      problems.append(LocalizedText("unknown actor: \(.foreign(actor))", ko: "알 수 없는 actor: \(.foreign(actor))"))
    }
    let place = PlanFile.Destination(
      profile: profile, baseURL: url, vendor: (try? object.int("vendor_id")) ?? nil,
      login: (try? object.string("login")) ?? nil)
    let command = ((try? object.string("command")) ?? nil) ?? ""
    guard let id = (try? object.string("id")) ?? nil, !id.isEmpty, id.utf8.count <= 100 else {
      problems.append(LocalizedText("its ID is missing", ko: "id가 없습니다"))
      return nil
    }
    var file = PlanFile(
      id: id, destination: place, createdAt: made, maker: (try? object.string("maker")) ?? nil,
      actor: actor.flatMap { ChangeActor($0) }, expires: expires, command: command,
      note: (try? object.string("note")) ?? nil, notBefore: due, sale: sale, plan: Plan(changes(elements)))
    file.isEdited = (try? object.string("digest")) ?? nil != file.digest
    return file
  }

  /// Returns the time of a member, or `nil` without one.
  private mutating func time(_ key: String) -> Timestamp? {
    guard let text = (try? object.string(key)) ?? nil else { return nil }
    guard let time = Timestamp(text), time.isUTC else {
      problems.append(LocalizedText("not a UTC time: \(.foreign(text))", ko: "\(.foreign(text), .topic) UTC 시각이 아닙니다"))
      return nil
    }
    return time
  }

  private mutating func changes(_ elements: [JSON]) -> [Change] {
    var changes: [Change] = []
    var places: [Product.ID: Int] = [:]
    for (index, element) in elements.enumerated() {
      var reader = PlanChangeReader(policy)
      let change = reader.change(element)
      let id = reader.id
      problems += reader.problems.map { PlanReader.located($0, index + 1, id) }
      guard let change else { continue }
      if let id, let first = places.updateValue(index + 1, forKey: id) {
        problems.append(
          PlanReader.located(
            LocalizedText("change \(first) already has this product", ko: "이미 \(first)번째 변경에 있는 상품입니다"), index + 1, id)
        )
      }
      changes.append(change)
    }
    return changes
  }

  private mutating func checkKeys(of object: JSONObject, _ known: [String], _ index: Int?) {
    for key in object.keys where !known.contains(key) { problems.append(PlanChangeReader.unknown(key, known)) }
    for key in object.duplicateKeys {
      problems.append(LocalizedText("duplicate key \(.foreign(key))", ko: "\(.foreign(key), .subject) 두 번 나옵니다"))
    }
  }

  private static func located(_ what: LocalizedText, _ number: Int, _ id: Product.ID?) -> LocalizedText {
    let product = id.map { LocalizedText(" (product \($0))", ko: "(\($0)번 상품)") } ?? LocalizedText("", ko: "")
    return LocalizedText(
      "change \(number)\(product[.english]): \(what[.english])",
      ko: "\(number)번째 변경\(product[.korean]): \(what[.korean])")
  }
}
