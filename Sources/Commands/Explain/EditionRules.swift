import Catalog
import Foundation
import MarketAPI
import Networking
import Presentation
import Text
import WriteJournal

/// The documented rules of an edition (see the article Protocol), applied to a request.
struct EditionRules {
  /// A violated rule.
  struct Violation {
    /// The field, part or header, by its name in the edition.
    var name: String
    var wording: LocalizedText
    /// A Boolean value that indicates that servers were observed not to enforce the rule.
    var isRarelyEnforced = false
  }

  private let dialect: Dialect
  private var isCamp: Bool { dialect.capabilities.ownership == .passwords }
  /// The key of the description in requests.
  private var description: String { dialect.capabilities.descriptionKey }
  private var title: String { isCamp ? "title" : "name" }
  private var pictures: String { isCamp ? "images[]" : "images" }

  init(_ dialect: Dialect) { self.dialect = dialect }

  func breaches(of sent: SentRequest) -> [Violation] {
    switch sent.purpose {
    case .list: return paging(sent)
    case .show, .other: return []
    case .create: return identity(sent) + shape(sent) + required(sent) + values(sent) + files(sent)
    case .edit: return identity(sent) + shape(sent) + names(sent) + values(sent) + files(sent)
    case .prepareDeletion: return identity(sent)
    case .delete: return identity(sent)
    }
  }

  // MARK: Who asks

  private func identity(_ sent: SentRequest) -> [Violation] {
    var found: [Violation] = []
    if !isCamp, sent.header("identifier") == nil {
      found.append(
        breach(
          "identifier", "every write request needs the header \(.value("identifier"))",
          ko: "변경에는 모두 \(.value("identifier")) 헤더가 있어야 합니다"))
    }
    let key = isCamp ? "password" : "secret"
    // The second request of a deletion has its token in the URL.
    if sent.purpose != .delete || isCamp, sent.bodyKind != .unreadable, sent.fields[key] == nil {
      found.append(
        breach(key, "required in every write request, but missing", ko: "변경에는 모두 있어야 하는데 보내지 않았습니다"))
    }
    return found
  }

  // MARK: The form

  private func shape(_ sent: SentRequest) -> [Violation] {
    let wantsForm = isCamp || sent.purpose == .create
    switch sent.bodyKind {
    case .form where !wantsForm:
      return [breach("body", "an update must be JSON, not a form", ko: "변경은 폼이 아니라 JSON입니다")]
    case .json where wantsForm, .none where wantsForm, .unreadable where wantsForm:
      return [
        isCamp
          ? breach(
            "body", "must be a form (multipart/form-data) with one part per field",
            ko: "필드마다 한 부분인 폼(multipart/form-data)입니다")
          : breach(
            "body",
            "to create a product, send a form with the JSON in \(.value("params")) and one \(.value("images")) part per image",
            ko: "상품을 등록하려면 JSON이 든 \(.value("params"))와 사진마다 \(.value("images")) 하나로 된 폼을 보냅니다")
      ]
    case .unreadable: return [breach("body", "not a JSON object", ko: "JSON 객체가 아닙니다")]
    case .none, .json, .form: return []
    }
  }

  private func required(_ sent: SentRequest) -> [Violation] {
    guard sent.bodyKind == .form else { return [] }
    let keys = [title, description, "price", "currency"] + (isCamp ? ["stock"] : [])
    let missing = keys.filter { !sent.names.contains($0) }.map {
      breach($0, "required for a new product, but missing", ko: "새 상품에 필요한데 보내지 않았습니다")
    }
    return missing + names(sent)
  }

  /// Returns names from another edition, which servers silently ignore.
  private func names(_ sent: SentRequest) -> [Violation] {
    let foreign: [(String, String)] =
      isCamp
      ? [("name", "title"), ("description", "descriptions"), ("images", "images[]"), ("secret", "password")]
      : [
        ("title", "name"), ("password", "secret"), ("images[]", "images"),
        description == "description" ? ("descriptions", "description") : ("description", "descriptions"),
      ]
    let given = Set(sent.names + sent.files.map(\.name))
    return foreign.filter { given.contains($0.0) }.map { wrong, right in
      breach(
        wrong, "in edition \(dialect) this is called \(.value(right))", ko: "\(dialect) API 버전의 이름은 \(.value(right))입니다"
      )
    }
  }

  // MARK: Values

  private func values(_ sent: SentRequest) -> [Violation] {
    var found: [Violation] = []
    if !isCamp {
      found +=
        length(sent, key: title, bounds: DocumentedLimits.openMarket.name)
        + length(sent, key: description, bounds: DocumentedLimits.openMarket.description)
    }
    let price = number(sent, key: "price", found: &found)
    let other = number(sent, key: "discounted_price", found: &found)
    if let price, let other, other > price {
      found.append(
        breach(
          "discounted_price", "\(Amount(other)) is higher than the price \(Amount(price))",
          ko: "\(Amount(other), .subject) 정가 \(Amount(price))보다 큽니다"))
    }
    if let text = sent.fields["stock"], Int(text).map({ $0 < 0 }) ?? true {
      found.append(
        breach(
          "stock", "\(.foreign(text)) is not a whole number of 0 or more", ko: "0 이상의 정수가 아닙니다 (\(.foreign(text)))"))
    }
    if let code = sent.fields["currency"], !isCamp, !Currency(code).isDocumented {
      let known = Currency.documented.map(\.code).joined(separator: ", ")
      found.append(
        breach(
          "currency", "\(.foreign(code)) is not one of \(known)", ko: "\(.foreign(code)) 통화는 문서에 없습니다. 문서의 통화: \(known)"
        ))
    }
    return found
  }

  private func length(_ sent: SentRequest, key: String, bounds: ClosedRange<Int>) -> [Violation] {
    guard let text = sent.fields[key], !bounds.contains(text.count) else { return [] }
    var breach = breach(
      key, "\(text.count) characters; the documented range is \(bounds.lowerBound) to \(bounds.upperBound)",
      ko: "\(text.count)자; 문서의 한도는 \(bounds.lowerBound)자부터 \(bounds.upperBound)자까지입니다")
    breach.isRarelyEnforced = true
    return [breach]
  }

  private func number(_ sent: SentRequest, key: String, found: inout [Violation]) -> Decimal? {
    guard let text = sent.fields[key] else { return nil }
    guard let value = JSONNumber(text)?.decimal else {
      found.append(breach(key, "\(.foreign(text)) is not a number", ko: "수가 아닙니다 (\(.foreign(text)))"))
      return nil
    }
    if value < 0 { found.append(breach(key, "\(.foreign(text)) is below 0", ko: "0보다 작습니다 (\(.foreign(text)))")) }
    if isCamp, Amount(value).hasFraction {
      found.append(
        breach(
          key, "\(.foreign(text)) has decimals, but prices must be whole numbers in this edition",
          ko: "\(.foreign(text))에 소수점이 있습니다. 이 API 버전의 가격은 정수여야 합니다"))
    }
    return value
  }

  // MARK: Pictures

  private func files(_ sent: SentRequest) -> [Violation] {
    guard sent.bodyKind == .form else { return [] }
    var found: [Violation] = []
    let count = sent.files.count
    if !isCamp, sent.purpose == .edit, count > 0 {
      found.append(breach(pictures, "images cannot be changed", ko: "사진은 바꿀 수 없습니다"))
    } else if count > DocumentedLimits.openMarket.pictures.upperBound || (sent.purpose == .create && count == 0) {
      found.append(breach(pictures, "\(count) images; 1 to 5 are allowed", ko: "사진 \(count)장; 1장부터 5장까지입니다"))
    }
    for file in sent.files where file.size >= DocumentedLimits.openMarket.pictureBytes {
      var large = breach(
        pictures,
        "\(.foreign(file.fileName ?? "")) is \(NumberFormatting.bytes(file.size)); the documented limit is 300 KB",
        ko: "\(.foreign(file.fileName ?? "")), \(NumberFormatting.bytes(file.size)); 문서의 한도는 300 KB 미만입니다")
      large.isRarelyEnforced = true
      found.append(large)
    }
    return found
  }

  // MARK: Lists

  private func paging(_ sent: SentRequest) -> [Violation] {
    guard !isCamp else { return [] }
    return ["page_no", "items_per_page"].compactMap { key in
      guard let text = sent.query[key], (Int(text) ?? 0) < 1 else { return nil }
      return breach(key, "\(.foreign(text)) is below 1", ko: "1보다 작습니다 (\(.foreign(text)))")
    }
  }

  private func breach(_ name: String, _ english: StyledText, ko korean: StyledText) -> Violation {
    Violation(name: name, wording: LocalizedText("\(.field(name)): \(english)", ko: "\(.field(name)): \(korean)"))
  }
}
