import EmbeddedMarket
import Foundation
import Platform
import TestSupport
import Testing
import WriteJournal

/// A push that is killed at any instant and run again until it succeeds creates one product for each new file, and every
/// file has the number of its product.
///
/// `OPENMARKET_LONG_TESTS=1 swift test --filter PushKillTests` kills at 30 instants in each edition.
@Suite(.timeLimit(Trial.limit), .startsPrograms) struct PushKillTests {
  @Test(arguments: ServedEdition.allCases)
  func repeatedPushCreatesNoDuplicate(_ edition: ServedEdition) async throws {
    try await Town.with(edition) { town in
      var dice = SplitMix64(Trial.seed &* 31 &+ UInt64(edition.rawValue.utf8.count))
      for round in 1...Trial.count(1, long: 30, variable: "OPENMARKET_FOLDER_KILLS") {
        try await kill(round, town, &dice)
      }
    }
  }

  private func kill(_ round: Int, _ town: Town, _ dice: inout SplitMix64) async throws {
    let folder = town.folder + "/shop\(round)"
    let names = (1...4).map { "Cup \(round)-\($0 / 2 * 2)" }
    try Files.createDirectory(folder + "/products")
    try Files.createDirectory(folder + "/pictures")
    try FileManager.default.copyItem(atPath: town.pictures[0], toPath: folder + "/pictures/cup.jpg")
    for (index, name) in names.enumerated() {
      // Two of the files have the same content.
      let text = """
        name = "\(name)"
        price = 1500
        currency = "KRW"
        stock = 3
        images = ["pictures/cup.jpg"]
        description = "A cup for every day of the week"

        """
      try Files.write(Data(text.utf8), to: folder + "/products/cup-\(index).toml")
    }
    let before = try await town.market.auditLog().last?.number ?? 0
    let words = ["-c", "push \(folder)"]
    let instant = Instant(&dice, writes: names.count, within: 900)
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
    let created = try await town.market.auditLog().filter { $0.number > before && $0.kind == .create }
    #expect(created.count == names.count, trace)
    var ids: Set<Int64> = []
    for index in names.indices {
      let text = try String(contentsOfFile: folder + "/products/cup-\(index).toml", encoding: .utf8)
      let id = text.split(separator: "\n").first.flatMap { Int64($0.dropFirst("id = ".count)) }
      ids.insert(try #require(id, trace))
    }
    #expect(ids == Set(created.map(\.product)), trace)
  }
}
