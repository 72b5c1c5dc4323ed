import GRDB

/// What the real servers did wrong, for clients to prove that they cope; each is on record (see Protocol).
struct Quirks: Hashable, Sendable {
  let isOn: Bool

  /// Rows of a page: in November 2022 `open` gave SQL the end index for the size, so page 3 of 20 held 60.
  func count(page: Int64, size: Int64, of kind: ProductsKind) -> Int64 {
    isOn && kind == .open ? min(page * size, 10_000) : size
  }

  /// In 2023 some calls of `open` answered 202; which ones nobody wrote down.
  func status(of kind: ProductsKind) -> Int { isOn && kind == .open ? 202 : 200 }

  /// In 2021 a picture appeared in its store a second after the answer that named it.
  func isLate(_ picture: PictureRow, at now: MarketTime) -> Bool {
    isOn && picture.motif == nil && now < picture.issued.adding(seconds: 1)
  }

  /// Rows of `training` from the first days had nulls in fields that are never null otherwise, until somebody edited them; of
  /// 561 captured rows of `open` none has one.
  func aged(_ json: WireJSON, of kind: ProductsKind, edited: Set<Int64>) -> WireJSON {
    guard isOn && kind == .training else { return json }
    switch json {
    case .list(let elements): return .list(elements.map { aged($0, of: kind, edited: edited) })
    case .object(let members):
      let id: Int64? = if case .number(let digits)? = json["id"] { Int64(digits) } else { nil }
      // Only a product has a currency.
      let missing = json["currency"] == nil || edited.contains(id ?? 0) ? [] : Quirks.missing(in: id ?? .max)
      return .object(
        members.map { member in
          WireJSON.Member(
            member.key, missing.contains(member.key) ? .null : aged(member.value, of: kind, edited: edited))
        })
    case .null, .bool, .number, .text: return json
    }
  }

  /// The products that somebody edited, of those that are old enough to matter.
  func edited(of kind: ProductsKind, in database: Database) throws -> Set<Int64> {
    guard isOn && kind == .training else { return [] }
    return try Int64.fetchSet(
      database, sql: "SELECT DISTINCT product FROM effects WHERE kind = 'edit' AND product <= \(Quirks.oldest)")
  }

  private static let oldest: Int64 = 10

  private static func missing(in id: Int64) -> Set<String> {
    switch id {
    case 1...2: ["name", "description", "thumbnail", "price", "bargain_price", "discounted_price", "stock"]
    case 3...5: ["description", "price", "bargain_price", "discounted_price", "stock"]
    case 6...oldest: ["description", "thumbnail"]
    default: []
    }
  }
}

/// Which of the two editions of 2021.
enum CampKind: String, Sendable {
  case camp1
  case camp2
}

/// Which of the two editions with vendors.
enum ProductsKind: Sendable {
  case training
  case open
}
