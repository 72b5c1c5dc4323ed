import MarketAPI
import Networking

/// The table for `openmarket serve --api FILE`.
extension DescriptionReader {
  /// Reads the table `[serve]`.
  func serving(_ table: DescriptionTable) -> MarketDescription.ServeRule {
    typealias Rule = MarketDescription.ServeRule
    table.check(keys: ["sample", "extra", "list", "update", "delete", "deletion", "select"])
    var rule = Rule()
    rule.sample = table.text("sample")
    rule.select = table.text("select")
    rule.extra = members(table, "extra", placeholders: [RequestPath.id])
    rule.list = constants(table, "list", placeholders: Rule.listPlaceholders) { ResponseLocation($0) }
      .map { Rule.ListMember(at: $0.place, value: $0.value) }
    if table.has("update") {
      rule.updateMethods = table.each("update") { $0.word($1, of: ["PATCH", "PUT", "POST"]) }
        .compactMap { RequestMethod(rawValue: $0) }
    }
    rule.deleteResponse = table.choice("delete") ?? .product
    rule.deletion = members(table, "deletion", placeholders: [Rule.now])
    return rule
  }
}
