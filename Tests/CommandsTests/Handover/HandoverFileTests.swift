import Foundation
import Platform
import ShellRuntime
import Testing
import WriteJournal

@testable import Commands

/// The reader of a handed over file, which may come from anyone.
@Suite struct HandoverFileTests {
  @Test func sampleIsReadAndWrittenAgain() throws {
    let file = try HandoverFile(Data(HandoverFile.sample.utf8), at: "sample")
    #expect(file.profiles == [.init(name: "shop", settings: ["url": "https://shop.example", "api": "open"])])
    #expect(file.aliases == [.init(name: "low", line: "ls mine where stock<5")])
    #expect(file.recipes.map(\.name) == ["seoul-goods"] && file.reports.map(\.name) == ["weekly"])
    #expect(file.log.writes.count == 1 && file.log.runs.count == 1 && file.log.pictures.count == 1)
    #expect(file.recurring == [.init(days: "monday", time: "7:00", line: "report week", profile: "shop")])
    #expect(file.unknown == ["page": 1] && file.maker == "mina")
    #expect(file.log.pending.count == 1 && file.log.pending.first?.write.state == "planned")
    let (data, omitted) = try file.contents { _ in false }
    var again = try HandoverFile(data, at: "again")
    // What this version doesn't know isn't passed on.
    #expect(again.unknown.isEmpty && omitted.isEmpty)
    again.unknown = file.unknown
    #expect(again == file)
  }

  /// One altered part of the sample makes the file unusable.
  @Test(arguments: [
    ("\"openmarket\":\"handover\"", "\"openmarket\":\"plan\""), ("\"version\":1", "\"version\":2"),
    ("{\"end\":10}", "{\"end\":8}"), ("{\"end\":10}\n", ""), ("{\"end\":10}\n", "{\"end\":10}\n{\"end\":10}\n"),
    ("\"state\":\"planned\"", "\"state\":\"done\""), ("\"state\":\"planned\"", "\"state\":\"ready\""),
    ("\"edit 132 stock", "\"edit 138 stock"), ("\"edit 132 stock", "\"raw "),
    ("\"mayHaveLeft\":false", "\"mayHaveLeft\":1e99"), ("\"state\":\"deferred", "\"state\":\"lost"),
    ("{\"page\":", "{\"\(String(repeating: "p", count: 300))\":"),
    ("{\"alias\":", "alias "), ("\"name\":\"shop\"", "\"name\":\"../shop\""), ("\"name\":\"shop\"", "\"name\":\"add\""),
    ("\"name\":\"shop\"", "\"name\":\"\""), ("\"name\":\"seoul-goods\"", "\"name\":\"../../x\""),
    ("\"name\":\"seoul-goods\"", "\"name\":\"version\""), ("key = 'id'", "key = "),
    ("\"state\":\"done\"", "\"state\":\"sending\""),
    ("\"state\":\"done\"", "\"state\":\"planned\""), ("\"state\":\"done\"", "\"state\":\"unknown\""),
    ("\"kind\":\"patch\"", "\"kind\":\"delete\""), ("\"kind\":\"patch\"", "\"kind\":\"raw\""),
    ("\"id\":\"01H", "\"id\":\"../01H"), ("\"depth\":0", "\"depth\":-1"), ("\"attempt\":1", "\"attempt\":99999999999"),
    ("\"product\":138", "\"product\":0"),
    ("https://shop.example\",\"after", "https://SHOP.example:443\",\"after"),
    ("https://shop.example\",\"after", "https://shop.example#x\",\"after"), ("2022-12-01T00:00:00Z", "yesterday"),
    ("\"number\":3", "\"number\":0"), ("\"data\":\"AAEC\"", "\"data\":\"\""), ("\"data\":\"AAEC\"", "\"data\":\"?\""),
  ])
  func alteredFileIsRefused(_ part: String, _ other: String) throws {
    let text = HandoverFile.sample
    try #require(text.contains(part), "\(part) is not in the sample")
    let altered = text.replacing(part, with: other)
    #expect(throws: FileError.self) { try HandoverFile(Data(altered.utf8), at: "altered") }
  }

  /// A file of a million short lines is refused with the first.
  @Test(arguments: ["\n", "\n1"]) func shortLinesAreReadOneByOne(_ line: String) throws {
    let head = #"{"made":"2022-12-01T00:00:00Z","openmarket":"handover","version":1}"#
    let text = head + String(repeating: line, count: 1_000_000) + "\n{\"end\":0}\n"
    #expect(throws: FileError.self) { try HandoverFile(Data(text.utf8), at: "short") }
  }

  /// More items than a user reads are no work on a shop.
  @Test func manyItemsAreRefused() {
    let head = #"{"made":"2022-12-01T00:00:00Z","openmarket":"handover","version":1}"# + "\n"
    let alias = #"{"alias":{"line":"ls","name":"a"}}"# + "\n"
    #expect(throws: FileError.self) {
      try HandoverFile(Data((head + String(repeating: alias, count: 1_001) + #"{"end":1001}"#).utf8), at: "many")
    }
    // Such a file isn't written either.
    var file = HandoverFile()
    file.aliases = (1...1_001).map { .init(name: "a\($0)", line: "ls") }
    #expect(throws: CommandError.self) { try file.contents { _ in false } }
  }

  @Test func itemWithASecretIsLeftOut() throws {
    var file = HandoverFile()
    file.aliases = [.init(name: "a", line: "echo hush-hush"), .init(name: "b", line: "ls")]
    let (data, omitted) = try file.contents { $0.contains("hush-hush") }
    #expect(omitted == ["alias a"])
    #expect(!String(decoding: data, as: UTF8.self).contains("hush-hush"))
  }
}

extension HandoverFile {
  /// A file with an item of most kinds.
  static let sample = #"""
    {"made":"2022-12-01T00:00:00Z","maker":"mina","openmarket":"handover","version":1}
    {"profile":{"name":"shop","settings":{"api":"open","url":"https://shop.example"}}}
    {"alias":{"line":"ls mine where stock<5","name":"low"}}
    {"recipe":{"name":"seoul-goods","toml":"key = 'id'\n"}}
    {"report":{"name":"weekly","toml":"columns = ['id', 'name']\n"}}
    {"every":{"days":"monday","line":"report week","profile":"shop","time":"7:00"}}
    {"page":{"of":"a later version"}}
    {"run":{"address":"https://shop.example","begun":"2022-12-01T00:00:00Z","number":3,"profile":"shop","text":"patch 138 price=9","vendor":"15"}}
    {"write":{"address":"https://shop.example","after":"{\"price\":9}","attempt":1,"change":"{\"change\":{\"edit\":{\"_0\":{\"id\":138},\"from\":{\"price\":8},\"to\":{\"price\":9}}},\"pictures\":[]}","depth":0,"id":"01HABCDEFGHJKMNPQRSTVWXYZ0","kind":"patch","product":138,"profile":"shop","run":3,"started":"2022-12-01T00:00:00Z","state":"done","vendor":"15"}}
    {"pending":{"events":[{"at":"2022-12-01T00:00:00Z","attempt":1,"state":"deferred"}],"held":["edit 132 stock+=5"],"isInterrupted":true,"mayHaveLeft":false,"write":{"address":"https://shop.example","attempt":1,"change":"{\"change\":{\"edit\":{\"_0\":{\"id\":132},\"from\":{\"stock\":8},\"to\":{\"stock\":13}}},\"pictures\":[],\"relative\":true}","depth":0,"id":"01HABCDEFGHJKMNPQRSTVWXYZ1","kind":"patch","product":132,"profile":"shop","run":3,"started":"2022-12-01T00:00:00Z","state":"planned","vendor":"15"}}}
    {"picture":{"address":"https://shop.example/1.png","data":"AAEC","name":"1.png","type":"image/png"}}
    {"end":10}

    """#
}
