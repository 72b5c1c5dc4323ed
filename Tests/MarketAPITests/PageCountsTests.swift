import Catalog
import Foundation
import MarketAPI
import Networking
import Testing

/// Page numbers and counts are accepted only in a plausible range, so that no calculation overflows.
struct PageCountsTests {
  /// Returns a page in the format of every edition.
  private func page(_ edition: Edition, _ number: String, size: String) throws -> Page {
    let counts = ["page", "pageNo", "page_no", "totalCount", "total_count", "lastPage", "last_page"]
    let sizes = ["itemsPerPage", "items_per_page"]
    let members =
      counts.map { "\"\($0)\":\(number)" } + sizes.map { "\"\($0)\":\(size)" }
      + ["\"items\":[{\"id\":1}]", "\"pages\":[{\"id\":1}]"]
    let body = "{" + members.joined(separator: ",") + "}"
    return try ListProducts(page: 7, size: 30).decode(from: reply(body), of: market(edition))
  }

  /// The single-pass decoder handles some of them, the generic one the others.
  @Test(
    arguments: Edition.allCases,
    [
      "9223372036854775807", "-9223372036854775808", "999999999999999999", "1000000000001", "1e18", "-1",
      "\"9223372036854775807\"", "\"-1\"",
    ])
  func implausibleCountsAreDropped(_ edition: Edition, _ number: String) throws {
    let page = try page(edition, number, size: number)
    #expect(page.number == 7)
    #expect(page.size == (Dialect(edition).supports(.pageSize) ? 30 : 20))
    #expect(page.total == nil && page.last == nil)
    #expect(page.ids == [1])
  }

  @Test(arguments: [Edition.training, .open], ["0", "1", "1000000000000", "1e12", "\"1000000000000\""])
  func plausibleCountsAreKept(_ edition: Edition, _ number: String) throws {
    let page = try page(edition, number, size: "10000")
    let expected = number == "0" ? 0 : number == "1" ? 1 : 1_000_000_000_000
    #expect(page.number == expected && page.total == expected && page.last == expected)
    #expect(page.size == 10_000)
  }

  @Test(arguments: [Edition.training, .open], ["0", "10001"])
  func invalidSizeIsTheRequestedOne(_ edition: Edition, _ size: String) throws {
    #expect(try page(edition, "1", size: size).size == 30)
  }
}
