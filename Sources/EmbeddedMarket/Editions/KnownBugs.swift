import GRDB

/// The known faults of the real servers, for clients to prove that they cope; each is documented in Protocol.
struct KnownBugs: Hashable, Sendable {
  let isOn: Bool

  /// Returns the number of rows of a page: in November 2022 `open` used the end index as the page size, so page 3 of 20
  /// had 60 rows.
  func count(page: Int64, size: Int64, of kind: VendorEditionKind) -> Int64 {
    isOn && kind == .open ? min(page * size, 10_000) : size
  }

  /// Returns the status of an edit: in 2023 some requests of `open` returned 202; it is not recorded which.
  func status(of kind: VendorEditionKind) -> Int { isOn && kind == .open ? 202 : 200 }

  /// Returns true if a picture is not available yet: in 2021 that took a second after the response that named it.
  func isLate(_ picture: PictureRow, at now: MarketTime) -> Bool {
    isOn && picture.motif == nil && now < picture.issued.adding(seconds: 1)
  }

  /// Replaces members of old rows with null.
  ///
  /// Rows of `training` from its first days had null in members that are never null otherwise, until they were edited;
  /// none of the 561 captured rows of `open` has.
  func aged(_ text: [UInt8], of kind: VendorEditionKind, edited: Set<Int64>) -> [UInt8] {
    guard isOn && kind == .training, let json = try? WireJSONReader.read(text) else { return text }
    return aged(json, edited: edited).bytes
  }

  private func aged(_ json: WireJSON, edited: Set<Int64>) -> WireJSON {
    switch json {
    case .list(let elements): return .list(elements.map { aged($0, edited: edited) })
    case .object(let members):
      let id: Int64? = if case .number(let digits)? = json["id"] { Int64(digits) } else { nil }
      // Only a product has a currency.
      let missing = json["currency"] == nil || edited.contains(id ?? 0) ? [] : KnownBugs.missing(in: id ?? .max)
      return .object(
        members.map { member in
          WireJSON.Member(
            member.key, missing.contains(member.key) ? .null : aged(member.value, edited: edited))
        })
    case .null, .bool, .number, .text: return json
    }
  }

  /// Returns the edited products among the old ones.
  func edited(of kind: VendorEditionKind, in database: Database) throws -> Set<Int64> {
    guard isOn && kind == .training else { return [] }
    return try Int64.fetchSet(
      database, sql: "SELECT DISTINCT product FROM effects WHERE kind = 'edit' AND product <= \(KnownBugs.oldest)")
  }

  private static let oldest: Int64 = 10

  /// The members that may be null in old rows.
  static let nullableMembers = [
    "name", "description", "thumbnail", "price", "bargain_price", "discounted_price", "stock",
  ]

  private static func missing(in id: Int64) -> Set<String> {
    switch id {
    case 1...2: Set(nullableMembers)
    case 3...5: ["description", "price", "bargain_price", "discounted_price", "stock"]
    case 6...oldest: ["description", "thumbnail"]
    default: []
    }
  }
}
