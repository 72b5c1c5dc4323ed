import Catalog
import CommandLanguage
import Foundation
import MarketOperations
import Platform
import TestSupport
import Testing

@testable import Commands
@testable import Platform
@testable import Shell
@testable import ShellRuntime

/// Mutated files are read or rejected: no reader crashes or uses unlimited memory.
///
/// Each reader runs in a process of its own, so that its peak memory is measured separately and a trap is a failure.
@Suite(.timeLimit(Trial.limit)) struct FileReaderFuzzTests {
  /// The memory in KiB by which the process of a reader may grow.
  private static let maximumGrowth = 64 * 1024

  enum Reader: String, CaseIterable, Codable, Sendable { case plan, recording, csv, jsonLines }

  @Test(.computesLong, arguments: Reader.allCases) func mutatedFileIsReadOrRefused(_ reader: Reader) async {
    let (seed, count) = (Trial.seed, Trial.count(500, long: 50_000))
    await #expect(processExitsWith: .success, "seed \(seed)") {
      [reader = reader as Reader, seed = seed as UInt64, count = count as Int] in
      let start = try #require(Trial.peakMemory)
      try FileReaderFuzzTests.run(reader, count, seed: seed)
      let growth = try #require(Trial.peakMemory) - start
      #expect(growth < FileReaderFuzzTests.maximumGrowth, "\(growth) KiB")
    }
  }

  /// The unmodified samples are read.
  ///
  /// Otherwise the fuzzer would only reach the first check of a reader.
  @Test(arguments: Reader.allCases) func unmodifiedSamplesAreRead(_ reader: Reader) throws {
    let folder = NSTemporaryDirectory() + "openmarket-samples-\(reader.rawValue)-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for sample in reader.fuzzer.samples {
      try Data(sample).write(to: URL(fileURLWithPath: folder + "/file.jsonl"))
      do { try reader.read(folder + "/file.jsonl", in: folder) } catch {
        Issue.record("\(CommandError(describing: error).message)")
      }
    }
    let read = try FileReaderFuzzTests.run(reader, 300, seed: 7)
    #expect((5..<300).contains(read), "\(read) of 300")
  }

  /// Returns the number of files that were accepted.
  @discardableResult
  private static func run(_ reader: Reader, _ count: Int, seed: UInt64) throws -> Int {
    let folder = NSTemporaryDirectory() + "openmarket-fuzz-\(reader.rawValue)-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/file.jsonl"
    var read = 0
    try reader.fuzzer.run(reader.rawValue, count, seed: seed) { bytes, _ in
      try Data(bytes).write(to: URL(fileURLWithPath: path))
      do {
        try reader.read(path, in: folder)
        read += 1
      } catch {
        // The error message quotes the file, so it must handle its bytes too.
        _ = CommandError(describing: error)
      }
    }
    return read
  }
}

extension FileReaderFuzzTests.Reader {
  /// Reads the file like the command that uses such files.
  fileprivate func read(_ path: String, in folder: String) throws {
    switch self {
    case .plan: _ = try PlanFile(StableFileReader.text(path, limit: PlanFile.maximumBytes), named: path, .documented)
    case .recording: _ = try Recording(path)
    case .csv, .jsonLines:
      let text = try StableFileReader.text(path, limit: 1 << 20)
      var problems = ImportProblems(path)
      let rows =
        self == .csv
        ? ImportCSV(names: .editionIndependent).table(of: text, &problems).rows
        : ImportJSONLines(names: .editionIndependent).table(of: text, &problems).rows
      let place = ServerConfiguration(
        profile: nil, url: nil, edition: nil, confirm: Sourced(.always, .default),
        access: Sourced(.readWrite, .default))
      let planner = ImportPlanner(rows, Session(server: place), in: ConfinedPath(folder: "/nowhere"))
      planner.checkDuplicateIDs(&problems)
      planner.checkValues(&problems)
      try problems.throwIfAny()
      let products = rows.compactMap(\.id).map { Product(id: $0, name: "cup", price: Amount(10), stock: 1) }
      let merge = ImportMerge(nil, winner: nil, limits: .documented)
      _ = planner.verdicts(Dictionary(products.map { ($0.id, $0) }) { $1 }, merge: merge, problems: &problems)
      try problems.throwIfAny()
    }
  }

  fileprivate var fuzzer: MutatingFuzzer {
    switch self {
    case .plan:
      MutatingFuzzer(
        samples: [
          """
          {
            "openmarket_plan": 1,
            "id": "01JDG0000000000000000000",
            "made": "2022-12-01T00:00:00Z",
            "command": "patch 138 price=19000",
            "note": null,
            "profile": "demo",
            "base_url": "embedded:open",
            "vendor_id": 15,
            "login": "LOGIN",
            "changes": [
              {"edit":138,"name":"우유병","from":{"price":12000,"currency":"KRW"},"to":{"price":19000.5,"currency":"USD"}},
              {"delete":140,"from":{"name":"cup","price":1.25,"discount":0,"currency":"USD","stock":1}},
              {"create":{"name":"new cup","description":"ten letters.","price":10,"discount":1,"currency":"KRW","stock":3,"images":[{"name":"a.png","type":"image/png","base64":"iVBORw0KGgo="}]}}
            ]
          }

          """
        ], words: ["\"edit\":", "\"delete\":", "\"create\":", "\"from\":{", "\"images\":", "1e3", "\"made\":"])
    case .recording:
      MutatingFuzzer(
        samples: [
          """
          {"log":{"_openmarket":{"embedded":true,"edition":"open","vendor_id":15},"entries":[
          {"startedDateTime":"2022-12-01T00:00:00.000Z","request":{"method":"GET","url":"http://127.0.0.1:8080/api/products?page_no=1"},"response":{"status":200,"headers":[{"name":"Content-Type","value":"application/json"}],"content":{"size":12,"text":"{\\"pages\\":[]}"}}},
          {"startedDateTime":"2022-12-01T09:00:00+09:00","request":{"method":"POST","url":"http://127.0.0.1:8080/","postData":{"params":[{"name":"a","value":"b"},{"name":"c","fileName":"d"}]}},"response":{"status":200,"content":{"encoding":"base64","text":"iVBORw0KGgo="}}},
          {"startedDateTime":"2022-12-01T00:00:00Z","request":{"method":"GET","url":"http://127.0.0.1:8080/"},"response":{"status":0},"comment":"timed out"}]}}

          """
        ], words: ["\"startedDateTime\":", "\"status\":", "\"url\":", "\"headers\":[", "\"base64\""])
    case .csv:
      MutatingFuzzer(
        samples: [
          "id,name,price,discount,currency,stock\r\n1,우유병,3500,100,KRW,2\r\n2,\"a \"\"cup\"\",\nof two lines\",9.99,0,USD,-\r\n",
          "id,name,description,price,currency,stock\n3,새 컵,열 글자가 넘는 설명입니다.,3500,KRW,1\n4,'=1+1,ten letters at least,1.50,USD,0\n",
        ], words: ["id,", "\"\"", "\",\"", "'=", "-,", "\r", "images"])
    case .jsonLines:
      MutatingFuzzer(
        samples: [
          """
          {"id":1,"name":"우유병","price":3500,"discount":100,"currency":"KRW","stock":2,"images":null}
          {"id":2,"price":9.99,"stock":0}
          {"id":3,"name":"new cup","description":"ten letters at least","price":10,"currency":"USD"}

          """
        ], words: ["\"id\":", "\"images\":[\"a.png\"]", "\"price\":", "\"sale\":"])
    }
  }
}
