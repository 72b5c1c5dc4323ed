import Catalog
import CommandLanguage
import Foundation
import Networking
import Platform
import Presentation
import ShellRuntime
import Text
import WriteJournal

/// A plan on disk: changes with the values before them, bound to the market and vendor for which they were decided.
package struct PlanFile: Hashable, Sendable {
  /// The only market and vendor for which the plan can be applied.
  package struct Destination: Hashable, Sendable {
    package var profile: String
    /// The address of the market, as the file has it.
    package var baseURL: String
    /// The generation of the market, or `nil` in files of versions before 0.3 and of servers without one.
    package var generation: MarketGeneration?
    package var vendor: Int?
    /// A digest that identifies the login without containing it.
    package var login: String?

    package init(
      profile: String, baseURL: String, generation: MarketGeneration? = nil, vendor: Int? = nil, login: String? = nil
    ) {
      self.profile = profile
      self.baseURL = baseURL
      self.generation = generation
      self.vendor = vendor
      self.login = login
    }
  }

  package static let version = 1
  /// The version of a plan with the rule of a sale, which an older program would apply as it was planned.
  static let saleVersion = 2
  /// The time for which a plan is valid unless it says otherwise, in seconds.
  package static let defaultLifetime = 86_400
  /// The maximum size in bytes.
  ///
  /// A plan contains the pictures of the products it creates.
  package static let maximumBytes = 256 << 20

  /// The permanent identifier of the plan, even if it is edited.
  ///
  /// The journal uses it to find the changes already applied.
  package var id: String
  package var destination: Destination
  /// The time of its creation, in UTC.
  package var createdAt: Timestamp
  /// The name of the account that created it, if known.
  package var maker: String?
  /// The actor who decided it, or `nil` for a plan of a version that didn't store it.
  package var actor: ChangeActor?
  /// The time after which it isn't applied, in UTC, or `nil`.
  package var expires: Timestamp?
  /// The command line that created it, for display.
  package var command: String
  package var note: String?
  /// The time before which it isn't applied, in UTC, or `nil`.
  package var notBefore: Timestamp?
  /// The rule of a sale that starts at `notBefore`, or `nil` for a plan that is applied as it is.
  package var sale: SaleRule?
  package var plan: Plan
  /// A Boolean value that indicates whether the file was changed since its creation.
  package var isEdited = false

  package init(
    id: String, destination: Destination, createdAt: Timestamp, maker: String?, actor: ChangeActor? = nil,
    expires: Timestamp? = nil, command: String, note: String? = nil, notBefore: Timestamp? = nil,
    sale: SaleRule? = nil, plan: Plan
  ) {
    self.id = id
    self.maker = maker
    self.actor = actor
    self.expires = expires
    self.notBefore = notBefore
    self.sale = sale
    self.destination = destination
    self.createdAt = createdAt
    self.command = command
    self.note = note
    self.plan = plan
  }
}

extension PlanFile.Destination {
  package var market: MarketIdentity { MarketIdentity(address: baseURL, generation: generation) }

  /// Returns 32 bits of a hash that stand for an identifier in a plan: enough to tell logins apart, too little to find one
  /// out.
  package static func digest(_ text: String) -> String { String(FNV1a(text).hex.suffix(8)) }
}

extension PlanFile {
  /// Decodes a plan, which may have been edited by hand: every key and value is checked like typed input.
  ///
  /// - Throws: `CommandError` with every error and its position, up to a hundred; `CancellationError`.
  package init(_ text: String, named path: String, _ policy: LimitPolicy) throws {
    guard let object = (try? JSON(parsingUntilCancelled: Data(text.utf8)))?.object else {
      try Task.checkCancellation()
      throw PlanFile.unusable(path, [LocalizedText("it is not a JSON object", ko: "JSON 객체가 아닙니다")])
    }
    var reader = PlanReader(object, policy)
    let read = reader.read()
    try Task.checkCancellation()
    guard let file = read, reader.problems.isEmpty else { throw PlanFile.unusable(path, reader.problems) }
    self = file
  }

  private static func unusable(_ path: String, _ problems: [LocalizedText]) -> CommandError {
    var message = Message.failure(
      "\(.value(path)) is not a valid plan file. Nothing was sent.",
      ko: "\(.value(path), .topic) 올바른 계획 파일이 아닙니다. 아무것도 보내지 않았습니다.")
    for problem in problems { message = message.because(problem) }
    return CommandError(.usageError, message, code: .badPlan)
  }
}

extension PlanFile {
  /// The JSON text, formatted for reading and for `diff`: the header members first, then one line per change.
  package var text: String {
    let version = sale == nil ? PlanFile.version : PlanFile.saleVersion
    let lines = ([("openmarket_plan", JSON.int(version)), ("digest", .string(digest))] + head).map {
      "  \"\($0)\": \($1.serialized),\n"
    }.joined()
    let changes = plan.rows.compactMap { members(of: $0) }.map { members in
      let digest = PlanFile.digest(of: members)
      return "    " + JSON.object(members + [("digest", .string(digest))]).serialized
    }.joined(separator: ",\n")
    return "{\n" + lines + "  \"changes\": [" + (changes.isEmpty ? "" : "\n" + changes + "\n  ") + "]\n}\n"
  }

  /// The digest of the file: SHA-256 over the header members, one line each, and the digests of the changes, one
  /// line each.
  ///
  /// Approving a plan means approving this digest.
  package var digest: String {
    let lines = head.map { "\($0) \($1.serialized)" } + digests
    return SHA256.hex(Data(lines.joined(separator: "\n").utf8))
  }

  /// The digests of the changes: the first 16 hexadecimal digits of the SHA-256 of each, as it is in the file.
  package var digests: [String] { plan.rows.compactMap { members(of: $0).map(PlanFile.digest) } }

  /// The plan with the digest of each change in its row.
  package var identifiedPlan: Plan {
    var plan = plan
    for index in plan.rows.indices { plan.rows[index].digest = members(of: plan.rows[index]).map(PlanFile.digest) }
    return plan
  }

  private static func digest(of members: [(String, JSON)]) -> String {
    String(SHA256.hex(Data(JSON.object(members).serialized.utf8)).prefix(16))
  }

  /// The header members in the order of the file.
  private var head: [(String, JSON)] {
    let head: [(String, JSON)] = [
      ("id", .string(id)), ("made", .string(createdAt.description)), ("maker", maker.map { .string($0) } ?? .null),
    ]
    let actor: [(String, JSON)] = actor.map { [("actor", .string($0.description))] } ?? []
    let words: [(String, JSON)] = [
      ("command", .string(command)), ("note", note.map { .string($0) } ?? .null),
    ]
    let time: [(String, JSON)] =
      (notBefore.map { [("due", .string($0.description))] } ?? [])
      + (expires.map { [("expires", .string($0.description))] } ?? []) + (sale.map { [("sale", $0.json)] } ?? [])
    let destinationMembers: [(String, JSON)] = [
      ("profile", .string(self.destination.profile)), ("base_url", .string(self.destination.baseURL)),
      ("vendor_id", self.destination.vendor.map { .int($0) } ?? .null),
      ("login", self.destination.login.map { .string($0) } ?? .null),
    ]
    let generation: [(String, JSON)] =
      self.destination.generation.map { [("generation", .string($0.description))] } ?? []
    return head + actor + words + time + destinationMembers + generation
  }

  /// The members of a change: `computed` has the assignments of an edit whose values were computed from those that were
  /// read, `product` what the product was besides its name.
  private func members(of row: Plan.Row) -> [(String, JSON)]? {
    switch row.change {
    case nil: return nil
    case .create(let draft):
      let document =
        (draft.document.map { [("document", JSON.string($0))] } ?? [])
        + (draft.mark.map { [("mark", JSON.string($0))] } ?? [])
      let pictures = draft.pictures.isEmpty ? nil : draft.pictures
      let isPartial = !draft.unset.isEmpty || pictures?.allSatisfy { $0.address == nil } != true
      return [("create", PlanFile.json(ProductValues(of: draft), pictures: pictures))]
        + (isPartial ? [("partial", .bool(true))] : []) + document
    case .edit(let product, let from, let to):
      let formulas = row.origin.formulas
      let computed = formulas.isEmpty ? [] : [("computed", JSON.array(formulas.map { .string($0) }))]
      return [
        ("edit", .int(product.id)), ("name", .string(product.name ?? "")), ("from", PlanFile.json(from)),
        ("to", PlanFile.json(to, pictures: to.pictures)),
      ] + computed + PlanFile.reference(to: product)
    case .delete(let product):
      return [("delete", .int(product.id)), ("from", PlanFile.json(ProductValues(of: product).withoutThumbnail))]
        + PlanFile.reference(to: product)
    }
  }

  private static func reference(to product: Product) -> [(String, JSON)] {
    ProductReference(recording: product).json(isNamed: false).map { [("product", $0)] } ?? []
  }

  private static func json(_ fields: ProductValues, pictures: [PictureFile]? = nil) -> JSON {
    var members = fields.assignedFields.map { field in (field.rawValue, fields[field].map(json) ?? .null) }
    if let pictures { members.append(("images", .array(pictures.map(json)))) }
    return .object(members)
  }

  private static func json(_ value: FieldValue) -> JSON {
    switch value {
    case .number(let number): .int(number)
    case .amount(let amount): json(amount)
    case .text, .timestamp, .pictures, .references: .string(value.description)
    }
  }

  static func json(_ amount: Amount) -> JSON {
    JSONNumber(amount.description).map { .number($0) } ?? .string(amount.description)
  }

  private static func json(_ picture: PictureFile) -> JSON {
    if let address = picture.address { return .object([("address", .string(address))]) }
    let stated: [(String, JSON)] = picture.statedPath.map { [("path", .string($0))] } ?? []
    return .object(
      [("name", .string(picture.name)), ("type", .string(picture.type))] + stated + [
        ("base64", .string(picture.bytes.base64EncodedString()))
      ])
  }
}

extension ProductValues {
  /// The fields without the thumbnail.
  ///
  /// Its id refers to the list of pictures, which a plan doesn't contain.
  var withoutThumbnail: ProductValues {
    var fields = self
    fields.thumbnailID = nil
    return fields
  }
}

/// The bytes of a plan file as they were read once, with the path, next to which its signature is.
package struct PlanSource: Hashable, Sendable {
  package let path: String
  package let bytes: Data

  /// Reads a plan file.
  ///
  /// - Throws: `FileError`.
  package init(_ path: String) throws(FileError) {
    self.path = path
    bytes = try StableFileReader.data(path, limit: PlanFile.maximumBytes)
  }

  /// Returns the text.
  ///
  /// - Throws: `FileError.notText` if it isn't UTF-8.
  package func text() throws(FileError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path: path, at: InvalidByte(inUTF8: bytes))
    }
    return text
  }
}
