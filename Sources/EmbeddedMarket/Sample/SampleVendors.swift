/// The vendors of the sample market.
///
/// The ids have gaps, as those of the real servers.
enum SampleVendors {
  static let demo = VendorLogin(
    identifier: "4c1f8d60-4e9a-11ed-a200-1b7c9f2e5d31", secret: "open-the-market", vendorID: 15, name: "구름상점")

  struct Entry: Sendable {
    var id: Int64
    var name: String
    /// Indicates names and descriptions in Korean and prices in KRW; otherwise English and USD.
    var isKorean: Bool
  }

  static let others: [Entry] = [
    Entry(id: 3, name: "한강마켓", isKorean: true),
    Entry(id: 6, name: "Blue Fern Studio", isKorean: false),
    Entry(id: 13, name: "달빛공방", isKorean: true),
    Entry(id: 29, name: "northside", isKorean: false),
    Entry(id: 36, name: "오늘의서재", isKorean: true),
    Entry(id: 50, name: "Harbor & Pine", isKorean: false),
  ]

  static let demoEntry = Entry(id: 15, name: demo.name, isKorean: true)

  /// The owner of products created in the editions of 2021, which have no vendors.
  static let camp = Entry(id: VendorRow.campID, name: "camp", isKorean: true)
}
