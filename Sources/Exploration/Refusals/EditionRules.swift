import Catalog
import Foundation
import Journal
import Marketplace
import Networking
import Presentation
import Text

/// The documented rules of an edition (see the article Protocol), applied to a request.
struct EditionRules {
  /// A violated rule.
  struct Breach {
    /// The field, part or header, by its name in the edition.
    var name: String
    var wording: LocalizedText
    /// A Boolean value that indicates that servers were observed not to enforce the rule.
    var isRarelyEnforced = false
  }

  private let edition: Edition
  private var isCamp: Bool { !edition.traits.knowsVendors }
  /// The key of the description in requests.
  private var description: String { edition.traits.descriptionKey }
  private var title: String { isCamp ? "title" : "name" }
  private var pictures: String { isCamp ? "images[]" : "images" }

  init(_ edition: Edition) { self.edition = edition }

  func breaches(of sent: SentRequest) -> [Breach] {
    switch sent.act {
    case .list: return paging(sent)
    case .show, .other: return []
    case .create: return identity(sent) + shape(sent) + required(sent) + values(sent) + files(sent)
    case .edit: return identity(sent) + shape(sent) + names(sent) + values(sent) + files(sent)
    case .prepareDeletion: return identity(sent)
    case .delete: return identity(sent)
    }
  }

  // MARK: Who asks

  private func identity(_ sent: SentRequest) -> [Breach] {
    var found: [Breach] = []
    if !isCamp, sent.header("identifier") == nil {
      found.append(
        breach(
          "identifier", "every write carries the header \(.value("identifier"))",
          ko: "변경에는 모두 \(.value("identifier")) 헤더가 있어야 합니다"))
    }
    let key = isCamp ? "password" : "secret"
    // The second request of a deletion has its token in the URL.
    if sent.act != .delete || isCamp, sent.shape != .unreadable, sent.fields[key] == nil {
      found.append(
        breach(key, "every write carries it, and none was sent", ko: "변경에는 모두 있어야 하는데 보내지 않았습니다"))
    }
    return found
  }

  // MARK: The form

  private func shape(_ sent: SentRequest) -> [Breach] {
    let wantsForm = isCamp || sent.act == .create
    switch sent.shape {
    case .form where !wantsForm:
      return [breach("body", "a change is JSON, not a form", ko: "변경은 폼이 아니라 JSON입니다")]
    case .json where wantsForm, .none where wantsForm, .unreadable where wantsForm:
      return [
        isCamp
          ? breach(
            "body", "it is a form (multipart/form-data), one part a field", ko: "필드마다 한 부분인 폼(multipart/form-data)입니다")
          : breach(
            "body",
            "a product is made with a form: \(.value("params")) with the JSON, one \(.value("images")) a picture",
            ko: "등록은 JSON이 든 \(.value("params"))와 사진마다 하나인 \(.value("images"))로 된 폼입니다")
      ]
    case .unreadable: return [breach("body", "it is no JSON object", ko: "JSON 객체가 아닙니다")]
    case .none, .json, .form: return []
    }
  }

  private func required(_ sent: SentRequest) -> [Breach] {
    guard sent.shape == .form else { return [] }
    let keys = [title, description, "price", "currency"] + (isCamp ? ["stock"] : [])
    let missing = keys.filter { !sent.names.contains($0) }.map {
      breach($0, "a new product needs it, and it was not sent", ko: "새 상품에 필요한데 보내지 않았습니다")
    }
    return missing + names(sent)
  }

  /// Returns names from another edition, which servers silently ignore.
  private func names(_ sent: SentRequest) -> [Breach] {
    let foreign: [(String, String)] =
      isCamp
      ? [("name", "title"), ("description", "descriptions"), ("images", "images[]"), ("secret", "password")]
      : [
        ("title", "name"), ("password", "secret"), ("images[]", "images"),
        description == "description" ? ("descriptions", "description") : ("description", "descriptions"),
      ]
    let given = Set(sent.names + sent.files.map(\.name))
    return foreign.filter { given.contains($0.0) }.map { wrong, right in
      breach(wrong, "\(edition) calls it \(.value(right))", ko: "\(edition) 버전의 이름은 \(.value(right))입니다")
    }
  }

  // MARK: Values

  private func values(_ sent: SentRequest) -> [Breach] {
    var found: [Breach] = []
    if !isCamp {
      found += length(sent, title, Limits.name) + length(sent, description, Limits.description)
    }
    let price = number(sent, "price", &found)
    let other = number(sent, "discounted_price", &found)
    if let price, let other, other > price {
      found.append(
        breach(
          "discounted_price", "\(Amount(other)) is above the price of \(Amount(price))",
          ko: "\(Amount(other), .subject) 정가 \(Amount(price))보다 큽니다"))
    }
    if let text = sent.fields["stock"], Int(text).map({ $0 < 0 }) ?? true {
      found.append(
        breach("stock", "\(.foreign(text)) is no whole number from 0", ko: "0 이상의 정수가 아닙니다 (\(.foreign(text)))"))
    }
    if let code = sent.fields["currency"], !isCamp, !Currency(code).isDocumented {
      let known = Currency.documented.map(\.code).joined(separator: ", ")
      found.append(
        breach(
          "currency", "\(.foreign(code)) is none of \(known)", ko: "\(.foreign(code)) 통화는 문서에 없습니다. 문서의 통화: \(known)"))
    }
    return found
  }

  private func length(_ sent: SentRequest, _ key: String, _ bounds: ClosedRange<Int>) -> [Breach] {
    guard let text = sent.fields[key], !bounds.contains(text.count) else { return [] }
    var breach = breach(
      key, "\(text.count) characters; \(bounds.lowerBound) to \(bounds.upperBound) are documented",
      ko: "\(text.count)자; 문서의 한도는 \(bounds.lowerBound)자부터 \(bounds.upperBound)자까지입니다")
    breach.isRarelyEnforced = true
    return [breach]
  }

  private func number(_ sent: SentRequest, _ key: String, _ found: inout [Breach]) -> Decimal? {
    guard let text = sent.fields[key] else { return nil }
    guard let value = JSONNumber(text)?.decimal else {
      found.append(breach(key, "\(.foreign(text)) is no number", ko: "수가 아닙니다 (\(.foreign(text)))"))
      return nil
    }
    if value < 0 { found.append(breach(key, "\(.foreign(text)) is below 0", ko: "0보다 작습니다 (\(.foreign(text)))")) }
    if isCamp, Amount(value).hasFraction {
      found.append(
        breach(key, "\(.foreign(text)) has decimals; prices are whole here", ko: "여기서는 소수점이 없습니다 (\(.foreign(text)))"))
    }
    return value
  }

  // MARK: Pictures

  private func files(_ sent: SentRequest) -> [Breach] {
    guard sent.shape == .form else { return [] }
    var found: [Breach] = []
    let count = sent.files.count
    if !isCamp, sent.act == .edit, count > 0 {
      found.append(breach(pictures, "pictures cannot be changed", ko: "사진은 바꿀 수 없습니다"))
    } else if count > Limits.pictures.upperBound || (sent.act == .create && count == 0) {
      found.append(breach(pictures, "\(count) pictures; 1 to 5 are taken", ko: "사진 \(count)장; 1장부터 5장까지입니다"))
    }
    for file in sent.files where file.size >= Limits.pictureBytes {
      var large = breach(
        pictures, "\(.foreign(file.fileName ?? "")) has \(HumanNumber.bytes(file.size)); under 300 KB is documented",
        ko: "\(.foreign(file.fileName ?? "")), \(HumanNumber.bytes(file.size)); 문서의 한도는 300 KB 미만입니다")
      large.isRarelyEnforced = true
      found.append(large)
    }
    return found
  }

  // MARK: Lists

  private func paging(_ sent: SentRequest) -> [Breach] {
    guard !isCamp else { return [] }
    return ["page_no", "items_per_page"].compactMap { key in
      guard let text = sent.query[key], (Int(text) ?? 0) < 1 else { return nil }
      return breach(key, "\(.foreign(text)) is below 1", ko: "1보다 작습니다 (\(.foreign(text)))")
    }
  }

  private func breach(_ name: String, _ english: StyledText, ko korean: StyledText) -> Breach {
    Breach(name: name, wording: LocalizedText("\(.field(name)): \(english)", ko: "\(.field(name)): \(korean)"))
  }
}
