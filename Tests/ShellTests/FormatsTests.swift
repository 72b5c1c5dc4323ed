import Catalog
import Commands
import Engine
import Failures
import Foundation
import Journal
import Language
import Marketplace
import Networking
import Pacing
import Platform
import Testing
import Weather

@testable import Interchange

/// Files written by earlier versions (`Formats`) are read, and the newest ones equal what is written today.
///
/// The article Files describes each format.
@Suite final class FormatsTests {
  private let folder = NSTemporaryDirectory() + "openmarket-formats-" + UUID().uuidString
  private var home: Home { Home(folder: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Copies a stored file to its place in the home.
  private func bring(_ name: String, to path: String) throws {
    try Files.makeFolder(Paths.parent(of: path))
    try Files.write(Data(try Golden(name, in: "Formats").text().utf8), to: path, mode: 0o600)
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private static let product = Product(
    id: 138, name: "우유병 \"cup\"\n2", description: "", price: Amount(typed: "3500.25"), discount: .zero,
    sale: Amount(-5),
    currency: Currency("won"), stock: 1_000_000_000_000, vendor: "red/123", vendorID: 15,
    created: Timestamp("2022-10-18T23:59:59Z"), modified: Timestamp("2022-10-18T00:00:00"), thumbnail: "http://m/t.png",
    images: [Picture(id: 1, url: "http://m/1.png", thumbnail: "http://m/t.png"), Picture(url: "http://m/2.png")])

  // MARK: Files of a home

  @Test(arguments: ["profiles-0.toml", "profiles-1.toml"]) func profiles(_ name: String) throws {
    var shop = Profile(
      url: "https://shop.example", api: "open", confirm: .always, access: .readOnly, vendorID: 15, settle: 30)
    (shop.timeout, shop.proxy, shop.ca, shop.verify) = (20, "http://proxy.example:3128", "/etc/shop.pem", .never)
    shop.place = Place(
      try Coordinate(latitude: 37.5665, longitude: 126.978), name: "Seoul", koreanName: "서울", country: "KR")
    shop.places = ["우리 집": Place(try Coordinate(latitude: 37.5, longitude: 127))]
    if Golden.isRecording, name == "profiles-1.toml" { return }
    try bring(name, to: home.profilesFile)
    let profiles = try ProfileStore(home).load()
    #expect(profiles == ["demo": Profile(confirm: .bulk), "shop": shop])
    try ProfileStore(home).save(profiles)
    try Golden("profiles-1.toml", in: "Formats").check(try text(home.profilesFile))
  }

  @Test(arguments: ["credentials-0.toml", "credentials-1.toml"]) func credentials(_ name: String) throws {
    if Golden.isRecording, name == "credentials-1.toml" { return }
    try bring(name, to: home.credentialsFile)
    let store = CredentialStore(home)
    let shop = Credentials(identifier: "me's \"own\"", secret: Secret("geheim"))
    #expect(try store.load("shop") == shop && store.load("other") == nil)
    #expect(try store.weatherKey("shop") == "0123456789abcdef")
    try store.save(shop, for: "shop")
    try Golden("credentials-1.toml", in: "Formats").check(try text(home.credentialsFile))
  }

  @Test func aliases() throws {
    try bring("aliases-1.market", to: home.aliasesFile)
    let store = AliasStore(home, AllCommands.grammar)
    #expect(try store.load() == ["first-page": "ls size 3", "cheap": "ls where price<100; echo \"done\""])
    try store.set("cheap", "ls where price<100; echo \"done\"")
    try Golden("aliases-1.market", in: "Formats").check(try text(home.aliasesFile))
  }

  @Test(arguments: ["written-0.jsonl", "written-1.jsonl"]) func writtenFiles(_ name: String) throws {
    try bring(name, to: home.writtenFile)
    let files = WrittenFiles(home)
    #expect(
      files.record(of: "/srv/a.csv")
        == WrittenFiles.Record(path: "/srv/a.csv", digest: FileDigest(size: 12, sum: 0xcbf2_9ce4_8422_2325)))
    var export = WrittenFiles.Record(path: "/srv/b.csv", digest: FileDigest(size: 3, sum: 0xaf63_bd4c_8601_b7df))
    (export.base, export.market, export.made) = ("1f.cells", "embedded:open", Timestamp("2022-12-01T00:00:00Z"))
    #expect(files.record(of: "/srv/b.csv") == export && files.export(saying: export.digest) == export)
    #expect(files.record(of: "/srv/log.txt")?.grows == true)
    let new = home.state + "/new.csv"
    try Files.write(Data("id\n".utf8), to: new)
    try files.note(new)
    let kept = try text(home.writtenFile)
    let before = try Golden("written-1.jsonl", in: "Formats").text()
    #expect(kept.hasPrefix(before) && kept.split(separator: "\n").count == before.split(separator: "\n").count + 1)
  }

  /// A file that is written in parts has the digest of the complete file.
  @Test func aDraftKnowsItsDigest() throws {
    try Files.makeFolder(home.state)
    let path = home.state + "/pieces.csv"
    let draft = try FileDraft(at: path, isRemembered: true)
    try draft.append("id\r\n")
    try draft.append([UInt8](repeating: 7, count: 600_000))
    try draft.append(Data(repeating: 8, count: 300_000))
    try draft.append(Array("1\r\n".utf8))
    try draft.commit()
    #expect(draft.digest == FileDigest(ofFile: path) && draft.digest?.size == 900_007)
  }

  @Test(arguments: ["cells-0.jsonl", "cells-1.jsonl"]) func exportedCells(_ name: String) throws {
    let path = home.exportsFolder + "/1f.cells"
    try bring(name, to: path)
    let cells = try #require(ExportedCells(at: path))
    #expect(cells.cell(.price, of: 138) == ExportedCells.Cell(exported: "19000", imported: "18000"))
    #expect(cells.cell(.name, of: 138) == ExportedCells.Cell(exported: "우유병"))
    #expect(cells.cell(.stock, of: 132) == nil && cells.holds(132) && !cells.holds(1))
  }

  /// A file of a newer version is neither read nor overwritten.
  @Test func newerFilesAreLeftAlone() throws {
    try Files.makeFolder(home.configuration)
    let newer = "version = 2\n[profiles.shop]\nurl = 'https://shop.example'\n"
    try Files.write(Data(newer.utf8), to: home.profilesFile, mode: 0o600)
    #expect(throws: FileError.self) { try ProfileStore(home).load() }
    #expect(throws: FileError.self) { try ProfileStore(home).set("other", Profile()) }
    #expect(try text(home.profilesFile) == newer)

    try Files.makeFolder(home.state)
    let written = "{\"openmarket\":\"written\",\"version\":2}\n{\"path\":\"/srv/a.csv\",\"size\":12,\"sum\":\"1\"}\n"
    try Files.write(Data(written.utf8), to: home.writtenFile, mode: 0o600)
    #expect(WrittenFiles(home).record(of: "/srv/a.csv") == nil)
    try WrittenFiles(home).note(home.writtenFile)
    #expect(try text(home.writtenFile) == written)

    try Files.makeFolder(home.exportsFolder)
    let cells = "{\"openmarket\":\"cells\",\"version\":2}\n{\"id\":1,\"name\":\"cup\"}\n"
    try Files.write(Data(cells.utf8), to: home.exportsFolder + "/1.cells")
    #expect(ExportedCells(at: home.exportsFolder + "/1.cells") == nil)

    let snapshot = try Golden("snapshot-1.jsonl", in: "Formats").text().replacing(
      "\"version\":1", with: "\"version\":2")
    #expect(throws: FileError.malformed(path: "s", reason: "Unsupported format 2 (supported: 1).")) {
      try Snapshot(Data(snapshot.utf8), named: nil, at: "s")
    }
    let plan = try Golden("plan-2.json", in: "Formats").text().replacing(
      "\"openmarket_plan\": 2", with: "\"openmarket_plan\": 3")
    #expect(throws: Failure.self) { try PlanFile(plan, named: "p", .server) }
  }

  // MARK: Files for users

  /// A plan of version 1 has no id, maker and digests; the rest is the same.
  @Test(arguments: ["plan-1.json", "plan-2.json"]) func plans(_ name: String) throws {
    let bare = Product(id: 138, name: "cup")
    let plan = PlanFile(
      id: "01JDG0000000000000000000",
      place: PlanFile.Destination(
        profile: "demo", baseURL: "embedded:open", vendor: 15, login: PlanFile.Destination.digest("me")),
      made: try #require(Timestamp("2022-12-01T00:00:00Z")), maker: "kim", command: "patch 138 price=19000.5",
      note: "a \"note\"",
      plan: Plan([
        .edit(
          bare, from: Fields(price: Amount(12000), currency: .krw),
          to: Fields(price: Amount(typed: "19000.5"), currency: .usd)),
        .delete(
          Product(id: 140, name: "pot", price: Amount(typed: "1.25"), discount: .zero, currency: .usd, stock: 1)),
        .create(
          Draft(
            name: "new cup", description: "ten letters.", price: Amount(10), discount: Amount(1), currency: .krw,
            stock: 3,
            pictures: [PictureFile(name: "a.png", type: "image/png", bytes: Data([0x89, 0x50, 0x4E, 0x47]))])),
      ]))
    let file = Golden(name, in: "Formats")
    if name == "plan-2.json" { try file.check(plan.text) }
    var read = try PlanFile(file.text(), named: "p", .server)
    if name == "plan-1.json" {
      #expect(read.id.hasPrefix("1-") && read.maker == nil)
      (read.id, read.maker) = (plan.id, plan.maker)
    }
    #expect(read == plan)
  }

  /// An edited change is another change, and the others are the same.
  @Test func anEditedPlanKeepsItsIdAndTheDigestsOfTheRest() throws {
    let text = try Golden("plan-2.json", in: "Formats").text()
    let made = try PlanFile(text, named: "p", .server)
    let edited = try PlanFile(text.replacing("\"price\":19000.5", with: "\"price\":19001"), named: "p", .server)
    #expect(!made.isEdited && edited.isEdited && edited.id == made.id)
    #expect(edited.digests[0] != made.digests[0] && edited.digests.dropFirst() == made.digests.dropFirst())
    #expect(try PlanFile(text.replacing("\"kim\"", with: "\"lee\""), named: "p", .server).isEdited)
    #expect(throws: Failure.self) { try PlanFile(text.replacing("\"id\":", with: "\"di\":"), named: "p", .server) }
  }

  @Test func snapshots() throws {
    let snapshot = Snapshot(
      name: "before",
      head: Snapshot.Head(
        taken: try #require(Timestamp("2022-12-01T00:00:00Z")), url: "http://127.0.0.1:8080", edition: "open",
        products: 2,
        complete: true), products: [Self.product, Product(id: 1)])
    let file = Golden("snapshot-1.jsonl", in: "Formats")
    try file.check(String(decoding: snapshot.data, as: UTF8.self))
    #expect(try Snapshot(Data(try file.text().utf8), named: "before", at: "s") == snapshot)
  }

  @Test func recordings() throws {
    let file = Golden("recording-1.jsonl", in: "Formats")
    let recording = try Recording(file.path)
    #expect(recording.base.absoluteString == "http://127.0.0.1:8080" && recording.isEmbedded)
    #expect(recording.edition == .open && recording.vendorID == 15)
    #expect(recording.began.timeIntervalSince1970 == 1_669_852_800)
    let body = Data("{\"pages\":[]}".utf8)
    #expect(
      recording.exchanges.map(\.outcome) == [
        .success(Reply(status: 200, headers: [Header("Content-Type", "application/json")], body: body)),
        .success(Reply(status: 200, body: Data(base64Encoded: "iVBORw0KGgo=") ?? Data())),
        .failure(TransportFailure(.timedOut, extent: .partial)),
      ])
    let head = Recording.head(
      base: recording.base, isEmbedded: true, edition: .open, vendorID: 15, now: recording.began)
    try file.check(([head] + recording.exchanges.map(\.json)).map { $0.text + "\n" }.joined())
  }
}
