import EmbeddedMarket
import Foundation
import Platform
import TestSupport
import Testing
import WriteJournal

/// A copy to another market that is killed at any instant and run again until it succeeds creates one product for each
/// product of the source, and a further copy creates none.
///
/// `OPENMARKET_LONG_TESTS=1 swift test --filter CopyKillTests` kills at 30 instants in each edition.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct CopyKillTests {
  @Test(arguments: ServedEdition.allCases)
  func repeatedCopyCreatesNoDuplicate(_ edition: ServedEdition) async throws {
    try await Town.with(edition) { town in
      let source = EmbeddedMarket(
        MarketOptions(dataDirectory: town.folder + "/source", edition: .open, startsEmpty: true))
      let url = try await source.start()
      do {
        try addProfile(url.port ?? 0, to: town)
        var dice = SplitMix64(Trial.seed &* 37 &+ UInt64(edition.rawValue.utf8.count))
        for round in 1...Trial.count(1, long: 30, variable: "OPENMARKET_FOLDER_KILLS") {
          try await kill(round, town, source, &dice)
        }
      } catch {
        await source.stop()
        throw error
      }
      await source.stop()
    }
  }

  private func addProfile(_ port: Int, to town: Town) throws {
    let vendor = EmbeddedMarket.demoVendor
    let home = ConfinedPath(folder: town.home.configuration)
    try home.appending("profiles.toml").append(
      """

      [profiles.source]
      url = "http://127.0.0.1:\(port)"
      api = "open"
      vendor_id = \(vendor.vendorID)

      """)
    try home.appending("credentials.toml").append(
      """

      [vendors.source]
      identifier = "\(vendor.identifier)"
      secret = "\(vendor.secret)"

      """)
  }

  private func kill(
    _ round: Int, _ town: Town, _ source: EmbeddedMarket, _ dice: inout SplitMix64
  ) async throws {
    // Two of the products have the same values.
    let lines = (1...4).flatMap { ["-c", town.new("Cup \(round)-\($0 / 2 * 2)") + " again"] }
    let earlier = try await source.auditLog().last?.number ?? 0
    let stocked = try await town.launch(["--profile", "source"] + lines).ended()
    #expect(stocked.code == 0, "\(stocked.errors)")
    let ids = try await source.auditLog().filter { $0.number > earlier && $0.kind == .create }.map(\.product)
    #expect(ids.count == 4)
    let list = ids.map(String.init).joined(separator: ",")
    let words = ["--profile", "source", "-c", "copy \(list) to town"]

    let before = try await town.market.auditLog().last?.number ?? 0
    let instant = Instant(&dice, writes: ids.count, within: 900)
    let child = try town.launch(words)
    await instant.arm(in: town) { child.kill() }
    var runs = [await child.ended()]
    town.proxy.decide { _ in .pass }
    while runs.count < 8, runs.count == 1 || runs.last?.code != 0 {
      if runs.count > 2 { try await town.sendUnarrivedCreates() }
      runs.append(await (try town.launch(words)).ended())
    }
    let trace: Comment = """
      seed \(Trial.seed), \(town.edition), round \(round), killed \(instant)
      \(runs.map { "exit \($0.code): \($0.errors)\($0.output)" }.joined(separator: "---\n"))
      """
    #expect(runs.last?.code == 0, trace)
    let further = await (try town.launch(words)).ended()
    #expect(further.code == 0, "\(further.errors)\(further.output)")
    let created = try await town.market.auditLog().filter { $0.number > before && $0.kind == .create }
    #expect(created.count == ids.count, trace)
  }
}
