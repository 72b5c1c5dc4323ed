import Catalog
import MarketAPI
import ShellRuntime
import Testing

/// The meaning of a description, as the log stores it: it changes with what a value or a request means, and with nothing
/// else.
@Suite struct DescriptionMeaningTests {
  private static func mapping(_ text: String, named name: String = "shop.toml") throws -> DescriptionMapping {
    try DescriptionReader.read(text, named: name).mapping
  }

  /// An edit of the file, and the parts that mean something else after it.
  @Test(
    arguments: [
      ("price = { at = \"/offers/0/price\"", "price = { at = \"/offers/0/net\"", "price"),
      ("as = \"decimal-text\"", "as = \"minor-units\"", "price"),
      ("stock = \"/offers/0/quantity\"", "stock = { at = \"/offers/0/quantity\", writable = false }", "stock"),
      ("constant = \"USD\"", "constant = \"EUR\"", "currency"),
      ("id = \"/id\"", "id = \"/number\"", "id"), ("mark = \"/ref\"", "mark = \"/code\"", "mark"),
      ("record = \"/item\"\n\n[create]", "record = \"/product\"\n\n[create]", "[read]"),
      ("method = \"PATCH\"", "method = \"PUT\"", "[update]"), ("method = \"DELETE\"", "method = \"POST\"", "[delete]"),
      ("\"/category\" = \"home\"", "\"/category\" = \"garden\"", "[create]"),
      ("along = [\"/offers/0/sku\"]", "", "[update]"),
      ("base = \"/api\"", "base = \"/v2\"", "[create] [delete] [read] [update]"),
      // These change no value and no request that is recorded.
      ("name = \"shop\"", "name = \"store\"", ""), ("format = 1", "# A comment.\n\nformat = 1", ""),
      ("size = 20", "size = 50", ""), ("message = \"/error\"", "message = \"/detail\"", ""),
      ("order = \"newest-first\"", "", ""), ("[errors]\nmessage = \"/error\"", "", ""),
    ] as [(String, String, String)])
  func editChangesWhatItMeans(_ old: String, _ new: String, _ expected: String) throws {
    let text = KeepingMarket().description
    #expect(text.contains(old))
    let (before, after) = (try Self.mapping(text), try Self.mapping(text.replacing(old, with: new)))
    let names = Set(before.parts.keys).union(after.parts.keys).sorted()
    let changed = names.filter { before.parts[$0] != after.parts[$0] }
    #expect(changed.joined(separator: " ") == expected)
    #expect(before.digest != after.digest)
  }

  /// The name of the file is no part of the meaning.
  @Test func nameOfTheFileMakesNoDifference() throws {
    let text = KeepingMarket().description
    let (one, other) = (try Self.mapping(text), try Self.mapping(text, named: "store.toml"))
    #expect(one.parts == other.parts && one.digest == other.digest && other.file == "store.toml")
  }
}
