import EmbeddedMarket
import Engine
import Foundation
import Marketplace
import Pacing
import Platform
import Shell
import Testing

/// Snapshots are stored, compared and restored.
@Suite(.timeLimit(Trial.limit)) struct SnapshotTests {
  @Test func conversation() async throws {
    try await House.visit { house in
      try house.bringPictures()
      try await Transcript("Scripting/snapshots").check(in: house)
    }
  }

  /// A snapshot has exactly the values of the list in every edition: nothing differs right after it was taken.
  @Test(arguments: Edition.allCases) func nothingChangesByBeingKept(_ edition: Edition) async throws {
    var options = StartOptions()
    options.edition = edition
    let served = try #require(ServedEdition(rawValue: edition.rawValue))
    try await House.visit(options: options, edition: served) { house in
      #expect(await house.say("snapshot a").hasSuffix("to see what has changed since.\n"))
      let said = await house.say("diff a as jsonl")
      #expect(said.hasSuffix("to now.\n") && said.contains("! note: Nothing changed from a "), "\(said)")
    }
  }

  /// A truncated or invalid file is reported, and never taken for a smaller market.
  @Test(arguments: ["", "{}\n", "nonsense\n", "CUT"]) func damagedFiles(_ text: String) async throws {
    try await House.visit { house in
      let folder = house.home.snapshotsFolder + "/demo/open/"
      try Files.makeFolder(folder)
      let whole = try Golden("snapshot-1.jsonl", in: "Formats").text()
      let lines = whole.split(separator: "\n").dropLast(1).joined(separator: "\n")
      try (text == "CUT" ? lines + "\n" : text).write(toFile: folder + "bad.jsonl", atomically: true, encoding: .utf8)
      let said = await house.say("diff bad")
      #expect(said.hasPrefix("! error: Cannot read HOME/data/snapshots/demo/open/bad.jsonl."), "\(said)")
      #expect(said.hasSuffix("= 2\n"))
    }
  }

  /// The list reads only the first line of each file: this file is longer than the limit for reading.
  @Test func theListReadsFirstLinesAlone() async throws {
    try await House.visit { house in
      let folder = house.home.snapshotsFolder + "/demo/open/"
      try Files.makeFolder(folder)
      let whole = try Golden("snapshot-1.jsonl", in: "Formats").text()
      try whole.write(toFile: folder + "small.jsonl", atomically: true, encoding: .utf8)
      try FileManager.default.copyItem(atPath: folder + "small.jsonl", toPath: folder + "vast.jsonl")
      #expect(truncate(folder + "vast.jsonl", 3 << 30) == 0)
      try "{\"version\":1}".write(toFile: folder + "endless.jsonl", atomically: true, encoding: .utf8)
      #expect(
        await house.say("snapshot list as jsonl").split(separator: "\n").map { $0.prefix(15) }
          == ["{\"name\":\"small\"", "{\"name\":\"vast\","])
      #expect(await house.say("diff vast").hasPrefix("! error: "))
    }
  }

  /// The ids of another market are other products.
  @Test func anotherMarket() async throws {
    try await House.visit { house in
      let folder = house.home.snapshotsFolder + "/demo/open/"
      try Files.makeFolder(folder)
      let text = try Golden("snapshot-1.jsonl", in: "Formats").text()
      try text.write(toFile: folder + "here.jsonl", atomically: true, encoding: .utf8)
      let said = await house.say("restore 138 price from here yes")
      #expect(said.hasPrefix("! error: This snapshot is from another server. Nothing was sent.\n"), "\(said)")
      #expect(said.hasSuffix("= 4\n"))
    }
  }
}
