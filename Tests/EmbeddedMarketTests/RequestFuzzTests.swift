import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Mutated requests are read or refused: nothing that a client sends ends the server.
///
/// Each reader runs in a process of its own, so that its peak memory is measured separately and a trap is a failure.
@Suite(.timeLimit(Trial.limit)) struct RequestFuzzTests {
  enum Reader: String, CaseIterable, Codable, Sendable {
    case tomcatForm, vaporForm, head
  }

  @Test(.computesLong, arguments: Reader.allCases) func mutatedRequestIsReadOrRefused(_ reader: Reader) async {
    let (seed, count) = (Trial.seed, Trial.count(300, long: 1_000_000, variable: "OPENMARKET_FUZZ_ROUNDS"))
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardErrorContent], "seed \(seed)"
    ) {
      [reader = reader as Reader, seed = seed as UInt64, count = count as Int] in
      try reader.fuzzer.runAlone(reader.rawValue, count, seed: seed) { bytes, _ in reader.reads(bytes) }
    }
    // What the process of a test prints goes nowhere by itself.
    Trial.printInLongRun(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self))
  }

  /// The unmodified samples are read, and some mutated ones; otherwise the fuzzer would only reach the first check of a reader.
  @Test(arguments: Reader.allCases) func unmodifiedSamplesAreRead(_ reader: Reader) throws {
    for sample in reader.fuzzer.samples { #expect(reader.reads(sample)) }
    let read = try RequestFuzzTests.run(reader, 300, seed: 7)
    #expect((5..<300).contains(read), "\(read) of 300")
  }

  /// Returns the number of requests that were accepted.
  @discardableResult
  private static func run(_ reader: Reader, _ count: Int, seed: UInt64) throws -> Int {
    try reader.fuzzer.run(reader.rawValue, count, seed: seed) { bytes, _ in reader.reads(bytes) }
  }
}

extension RequestFuzzTests.Reader {
  /// Reads a request as the server does, with the record for the log, and returns whether it is accepted.
  fileprivate func reads(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .tomcatForm, .vaporForm:
      _ = MultipartBody.fault(in: Data(bytes), boundary: "XYZ")
      return (try? MultipartBody(Data(bytes), boundary: "XYZ", as: self == .vaporForm ? .vapor : .tomcat)) != nil
    case .head:
      // What the decoder of HTTP passes on: the method, the target and the fields, as texts.
      var lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\r\n")
      let words = lines.removeFirst().split(separator: " ", omittingEmptySubsequences: false).map(String.init)
      let fields = lines.compactMap { line -> (String, String)? in
        let halves = line.split(separator: ":", maxSplits: 1).map(String.init)
        return halves.count == 2 ? (halves[0], halves[1].trimmed) : nil
      }
      guard words.count == 3 else { return false }
      let head = HTTPRequestHead(
        version: words[2] == "HTTP/1.0" ? .http1_0 : .http1_1, method: HTTPMethod(rawValue: words[0]), uri: words[1],
        headers: HTTPHeaders(fields))
      let known = RequestHeadValidator.normalized(head)
      let refusal = RequestHeadValidator(limits: ServerLimits()).refusal(of: known)
      let target = LoggedTarget(words[1])
      _ = target.withoutSecrets(words[1])
      _ = QueryParameters(words[1].split(separator: "?", maxSplits: 1).last.map(String.init) ?? "").all
      let host = known.headers.first(name: "Host")
      let addresses = ServedAddresses(host: "127.0.0.1")
      _ = host.map { ServedAddresses.option(for: $0) }
      return refusal == nil && addresses.accepts(host)
    }
  }

  fileprivate var fuzzer: MutatingFuzzer {
    switch self {
    case .tomcatForm, .vaporForm:
      MutatingFuzzer(
        samples: [
          "--XYZ\r\nContent-Disposition: form-data; name=\"params\"\r\nContent-Type: application/json\r\n\r\n{\"a\":1}\r\n"
            + "--XYZ\r\nContent-Disposition: form-data; name=\"images\"; filename=\"a \\\"b\\\".png\"\r\n\r\nPNG\r\n--XYZ--\r\n"
        ],
        words: [
          "--XYZ", "--XYZ--", "\r\n\r\n", "Content-Disposition:", "form-data;", "name=", "filename*=UTF-8''%ea%b0%80",
          "\"",
          ";", "%", "--", " \r\n",
        ])
    case .head:
      MutatingFuzzer(
        samples: [
          "GET /api/products?page_no=1&items_per_page=20 HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\nidentifier: a-b-c",
          "POST http://127.0.0.1:8080/api/products/42/archived HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: 12\r\nExpect: 100-continue",
          "DELETE /api/products/MTMvZjZlODRhOGQ HTTP/1.1\r\nHost: [::1]:80\r\nTransfer-Encoding: chunked",
        ],
        words: [
          "Host: ", "Content-Length: 1", "Transfer-Encoding: chunked", "HTTP/1.0", "http://", "https://[", "%00", "%",
          "&",
          "?", "=", "//", "@", "::ffff:", "]",
        ], maximumBytes: ServerLimits().headBytes)
    }
  }
}
