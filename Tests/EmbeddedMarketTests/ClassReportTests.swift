import Foundation
import Testing

@testable import EmbeddedMarket

/// The counts of the class.
@Suite struct ClassReportTests {
  /// Thousands of addresses displace no vendor, whenever it comes, and the first addresses keep their rows.
  @Test func addressesDisplaceNoVendor() {
    let report = ClassReport()
    func entry(_ address: String, vendor: Int64? = nil, word: Int = 0) -> AccessLogEntry {
      var entry = AccessLogEntry(method: "GET", target: "/api/products/1", status: 400, address: address)
      entry.vendor = vendor.map { ($0, "vendor \($0)") }
      entry.refusal = LoggedRefusal(words: "\(word)", detail: nil)
      return entry
    }
    for number in 0..<5000 { report.add(entry("2001:db8::\(number)", word: number), at: Market.noon) }
    report.add(entry("2001:db8::0"), at: Market.noon)
    for word in 0..<300 { report.add(entry("2001:db8::1:1", vendor: 103, word: word), at: Market.noon) }
    let rows = report.sorted
    #expect(rows.count == 202)
    #expect(rows.first?.vendor == 103 && rows.first?.requests == 300 && rows.first?.mistakes.count == 100)
    #expect(rows.contains { $0.name == "2001:db8::0" && $0.requests == 2 })
    #expect(rows.last?.name == nil && rows.last?.requests == 4800 && rows.last?.mistakes.count == 20)
  }
}
