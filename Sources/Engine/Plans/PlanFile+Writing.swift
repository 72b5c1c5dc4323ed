import Catalog
import Foundation
import Journal
import Networking

extension PlanFile {
  /// JSON for people and for `diff`: what it is bound to first, then a line a change.
  package var text: String {
    let head: [(String, JSON)] = [
      ("openmarket_plan", .int(PlanFile.version)), ("made", .string(made.description)),
      ("command", .string(command)), ("note", note.map { .string($0) } ?? .null),
      ("profile", .string(place.profile)), ("base_url", .string(place.baseURL)),
      ("vendor_id", place.vendor.map { .int($0) } ?? .null), ("login", place.login.map { .string($0) } ?? .null),
    ]
    let lines = head.map { "  \"\($0)\": \($1.text),\n" }.joined()
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
