import Catalog
import CommandLanguage
@testable import Commands
import Foundation
import MarketAPI
import MarketOperations
import Networking
import Platform
import TestSupport
import Testing
import Text
import WeatherAPI
import WriteJournal

@testable import ShellRuntime

/// Files written by earlier versions (`Formats`) are read, and the newest ones equal what is written today.
///
/// The article Files describes each format.
@Suite final class StoredFormatTests {
  private let folder = NSTemporaryDirectory() + "openmarket-formats-" + UUID().uuidString
  private var home: AppDirectories { AppDirectories(folder: folder) }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Copies a stored file to its place in the home.
  private func bring(_ name: String, to path: String) throws {
    try Files.createDirectory(Paths.parent(of: path))
    try Files.write(Data(try Golden(name, in: "Formats").text().utf8), to: path, mode: 0o600)
  }

  private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private static let product = Product(
    id: 138, name: "우유병 \"cup\"\n2", description: "", price: Amount(typed: "3500.25"), discount: .zero,
    sale: Amount(-5),
    currency: Currency("won"), stock: 1_000_000_000_000, vendor: "red/123", vendorID: 15,
    created: Timestamp("2022-10-18T23:59:59Z"), modified: Timestamp("2022-10-18T00:00:00"),
    thumbnailURL: "http://m/t.png",
    images: [Picture(id: 1, url: "http://m/1.png", thumbnailURL: "http://m/t.png"), Picture(url: "http://m/2.png")])

  // MARK: Files of a home

  @Test(arguments: ["profiles-by-hand.toml", "profiles-1.toml"])
  func profilesOfTheFirstVersionAreRead(_ name: String) throws {
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

  @Test func learningOfTheFirstVersionIsRead() throws {
    var progress = LearningProgress(digest: "1")
    (progress.step, progress.isOn, progress.began, progress.market) = (
      4, false, 1_669_852_860, "0123-open.1669852800-ab"
    )
    (progress.changed, progress.newest) = (1_669_852_860, 142)
    progress.reached = [
      1: .init(time: 1_669_852_800, market: "0123-open.1669852800-ab"),
      5: .init(time: 1_669_852_860, market: "", product: 142),
    ]
    progress.base = [138: .init(stock: 25, digest: "00000000000000ff"), 9: .init(stock: -1, digest: "0")]
    let store = LearningStore(home)
    if !Golden.isRecording {
      try bring("learn-1.toml", to: home.learningFile)
      #expect(try store.progress(in: "built-in") == progress)
      #expect(try store.progress(in: "class-1") == nil)
    }
    try store.set(progress, in: "built-in")
    try Golden("learn-1.toml", in: "Formats").check(try text(home.learningFile))
  }

  @Test(arguments: ["credentials-by-hand.toml", "credentials-1.toml"])
  func credentialsOfTheFirstVersionAreRead(_ name: String) throws {
    if Golden.isRecording, name == "credentials-1.toml" { return }
    try bring(name, to: home.credentialsFile)
    let store = CredentialStore(home)
    let shop = Credentials(identifier: "me's \"own\"", secret: Secret("geheim"))
    #expect(try store.load("shop") == shop && store.load("other") == nil)
    #expect(try store.weatherKey("shop") == "0123456789abcdef")
    try store.save(shop, for: "shop")
    try Golden("credentials-1.toml", in: "Formats").check(try text(home.credentialsFile))
  }

  @Test func reportsOfTheFirstVersionAreRead() throws {
    let reports = [
      "books": SavedReport(span: "month", columns: [.id, .name, .stock, .sale], isOfAll: true),
      "주간": SavedReport(span: "2022-11-01..2022-11-30", columns: nil, isOfAll: false),
    ]
    try bring("reports-1.toml", to: home.reportsFile)
    #expect(try SavedReports(home).load() == reports)
    for (name, report) in reports { try SavedReports(home).set(name, report) }
    try Golden("reports-1.toml", in: "Formats").check(try text(home.reportsFile))
  }

  @Test func recipesOfTheFirstVersionAreRead() throws {
    var recipe = Recipe(headings: ["품번", "품명", "Unit price", "수량"], columns: ["품명": "name", "Unit price": "cost"])
    recipe.formulas = [.price: "cost*1.3 round 100", .stock: "min(수량, 99)"]
    recipe.cells = ["-": "keep", "품절": "0"]
    (recipe.skip, recipe.unknown) = (["합계", "TOTAL"], .skip)
    (recipe.products, recipe.sellsOutMissing, recipe.day) = ("name~\"서울\"", true, "2026-11-22")
    try bring("recipes-1.toml", to: home.recipesFile)
    let store = RecipeStore(home)
    #expect(try store.load() == ["seoul-goods": recipe])
    try store.set("seoul-goods", recipe)
    try Golden("recipes-1.toml", in: "Formats").check(try text(home.recipesFile))
  }

  @Test func aliasesOfTheFirstVersionAreRead() throws {
    try bring("aliases-1.market", to: home.aliasesFile)
    let store = AliasStore(home, AllCommands.grammar)
    #expect(try store.load() == ["first-page": "ls size 3", "cheap": "ls where price<100; echo \"done\""])
    try store.set("cheap", "ls where price<100; echo \"done\"")
    try Golden("aliases-1.market", in: "Formats").check(try text(home.aliasesFile))
  }

  @Test func writtenFileRecordsOfTheFirstVersionAreRead() throws {
    try bring("written-1.jsonl", to: home.writtenFilesIndex)
    let files = WrittenFiles(home)
    #expect(
      files.record(of: "/srv/a.csv")
        == WrittenFiles.Record(path: "/srv/a.csv", digest: FileDigest(size: 12, hash: 0xcbf2_9ce4_8422_2325)))
    var export = WrittenFiles.Record(path: "/srv/b.csv", digest: FileDigest(size: 3, hash: 0xaf63_bd4c_8601_b7df))
    export.export = WrittenFiles.Export(
      base: "1f.cells", market: MarketIdentity(address: "embedded:open"), made: Timestamp("2022-12-01T00:00:00Z"))
    #expect(
      files.record(of: "/srv/b.csv") == export
        && files.exports(of: MarketIdentity(address: "embedded:open")) == [export])
    let new = home.state + "/new.csv"
    try Files.write(Data("id\n".utf8), to: new)
    try files.record(new)
    let kept = try text(home.writtenFilesIndex)
    let before = try Golden("written-1.jsonl", in: "Formats").text()
    #expect(kept.hasPrefix(before) && kept.split(separator: "\n").count == before.split(separator: "\n").count + 1)
  }

  /// The digest by which a copy of an export is recognized is stored, so it must be the same in every version.
  @Test func productIDDigestOfTheFirstVersionIsComputed() {
    #expect(ProductIDDigest([138, 132, 126]).description == "3-13b9648ed9f544b4")
  }

  /// A file that is written in parts has the digest of the complete file.
  @Test func atomicWriterDigestEqualsFileDigest() throws {
    try Files.createDirectory(home.state)
    let path = home.state + "/pieces.csv"
    let draft = try AtomicFileWriter(at: path, isRemembered: true)
    try draft.append("id\r\n")
    try draft.append([UInt8](repeating: 7, count: 600_000))
    try draft.append(Data(repeating: 8, count: 300_000))
    try draft.append(Array("1\r\n".utf8))
    try draft.commit()
    #expect(draft.digest == FileDigest(ofFile: path) && draft.digest?.size == 900_007)
  }

  @Test func exportedCellsOfTheFirstVersionAreRead() throws {
    let path = home.exportsFolder + "/1f.cells"
    try bring("cells-1.jsonl", to: path)
    var cells = try #require(ExportBaseline(at: path, of: [138, 132, 1]))
    cells.take(importsOf: [nil])
    let known = try #require(cells.cells(of: 138))
    #expect(known[.price] == ExportBaseline.Cell(base: .amount(Amount(19000)), lastImported: .amount(Amount(18000))))
    #expect(known[.name] == ExportBaseline.Cell(base: .text("우유병")))
    #expect(cells.cells(of: 132)?[.stock] == nil && cells.cells(of: 132) != nil && cells.cells(of: 1) == nil)
    // What an earlier version didn't store of a product decides nothing.
    #expect(
      cells.reference(to: 138)?.mismatch(
        with: Product(id: 138, name: "other", created: Timestamp("2022-12-01T10:00:00Z"))) == nil)
  }

  /// A file of a newer version is neither read nor overwritten.
  @Test func newerFilesAreNeitherReadNorOverwritten() throws {
    try Files.createDirectory(home.configuration)
    let newer = "version = 2\n[profiles.shop]\nurl = 'https://shop.example'\n"
    try Files.write(Data(newer.utf8), to: home.profilesFile, mode: 0o600)
    let refusal = #expect(throws: FileError.self) { try ProfileStore(home).load() }
    guard case .syntax(_, 1, let reason)? = refusal else { throw try #require(refusal) }
    #expect(reason.english.plain == "unsupported file version 2; it may have been written by a newer openmarket")
    #expect(throws: FileError.self) { try ProfileStore(home).set("other", Profile()) }
    #expect(try text(home.profilesFile) == newer)

    try Files.createDirectory(home.state)
    let written = "{\"openmarket\":\"written\",\"version\":2}\n{\"path\":\"/srv/a.csv\",\"size\":12,\"sum\":\"1\"}\n"
    try Files.write(Data(written.utf8), to: home.writtenFilesIndex, mode: 0o600)
    #expect(WrittenFiles(home).record(of: "/srv/a.csv") == nil)
    try WrittenFiles(home).record(home.writtenFilesIndex)
    #expect(try text(home.writtenFilesIndex) == written)

    try Files.createDirectory(home.exportsFolder)
    let cells = "{\"openmarket\":\"cells\",\"version\":2}\n{\"id\":1,\"name\":\"cup\"}\n"
    try Files.write(Data(cells.utf8), to: home.exportsFolder + "/1.cells")
    #expect(ExportBaseline(at: home.exportsFolder + "/1.cells", of: [1]) == nil)

    let plan = try Golden("plan-1.json", in: "Formats").text().replacing(
      "\"openmarket_plan\": 1", with: "\"openmarket_plan\": 2")
    #expect(throws: CommandError.self) { try PlanFile(plan, named: "p", .server) }
  }

  // MARK: Files for users

  @Test func plansOfTheFirstVersionAreRead() throws {
    let bare = Product(id: 138, name: "cup")
    let plan = PlanFile(
      id: "01JDG0000000000000000000",
      destination: PlanFile.Destination(
        profile: "demo", baseURL: "embedded:open", vendor: 15, login: PlanFile.Destination.digest("me")),
      createdAt: try #require(Timestamp("2022-12-01T00:00:00Z")), maker: "kim", command: "patch 138 price=19000.5",
      note: "a \"note\"",
      plan: Plan([
        .edit(
          bare, from: ProductValues(price: Amount(12000), currency: .krw),
          to: ProductValues(price: Amount(typed: "19000.5"), currency: .usd)),
        .delete(
          Product(id: 140, name: "pot", price: Amount(typed: "1.25"), discount: .zero, currency: .usd, stock: 1)),
        .create(
          ProductDraft(
            name: "new cup", description: "ten letters.", price: Amount(10), discount: Amount(1), currency: .krw,
            stock: 3,
            pictures: [PictureFile(name: "a.png", type: "image/png", bytes: Data([0x89, 0x50, 0x4E, 0x47]))])),
      ]))
    let file = Golden("plan-1.json", in: "Formats")
    try file.check(plan.text)
    #expect(try PlanFile(file.text(), named: "p", .server) == plan)
  }

  /// An edited change is another change, and the others are the same.
  @Test func editedPlanKeepsItsIDAndOtherDigests() throws {
    let text = try Golden("plan-1.json", in: "Formats").text()
    let made = try PlanFile(text, named: "p", .server)
    let edited = try PlanFile(text.replacing("\"price\":19000.5", with: "\"price\":19001"), named: "p", .server)
    #expect(!made.isEdited && edited.isEdited && edited.id == made.id)
    #expect(edited.digests[0] != made.digests[0] && edited.digests.dropFirst() == made.digests.dropFirst())
    #expect(try PlanFile(text.replacing("\"kim\"", with: "\"lee\""), named: "p", .server).isEdited)
    #expect(throws: CommandError.self) { try PlanFile(text.replacing("\"id\":", with: "\"di\":"), named: "p", .server) }
  }

}
