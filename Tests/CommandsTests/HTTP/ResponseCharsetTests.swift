import Foundation
import Networking
import Shell
import ShellRuntime
import ShellTesting
import Synchronization
import TestSupport
import Testing
import Text

/// Responses that aren't UTF-8: the charset that they name is decoded, and a text that can't be read is no value.
@Suite(.timeLimit(Trial.limit)) struct ResponseCharsetTests {
  /// A transport that changes the responses about products, after the sandbox was opened.
  private final class Recoder: Transport {
    private let inner: any Transport
    private let change: @Sendable (Response) -> Response

    init(_ inner: any Transport, _ change: @escaping @Sendable (Response) -> Response) {
      (self.inner, self.change) = (inner, change)
    }

    func send(_ request: Request, to base: URL, with options: SendOptions) async throws -> Response {
      let response = try await inner.send(request, to: base, with: options)
      return request.path.contains("products") && request.method == .get ? change(response) : response
    }
  }

  /// Returns the response with a body in another encoding, and the header that names it.
  private static func encoded(_ response: Response, _ charset: String, _ encode: (String) -> Data) -> Response {
    var response = response
    response.body = encode(String(decoding: response.body, as: UTF8.self))
    response.headers.removeAll { $0.name.lowercased() == "content-type" }
    response.headers.append(HeaderField("Content-Type", "application/json" + charset))
    return response
  }

  private func withSandbox(
    _ change: @escaping @Sendable (Response) -> Response, _ body: (Sandbox) async throws -> Void
  ) async throws {
    try await Sandbox.with(between: { inner, _ in Recoder(inner, change) }, body)
  }

  @Test(arguments: ["utf-16", "iso-8859-1"]) func namedCharsetIsDecoded(_ charset: String) async throws {
    try await withSandbox({ response in
      ResponseCharsetTests.encoded(response, "; charset=" + charset) { text in
        // The old default of a framework: the header says ISO-8859-1, and the body is UTF-8.
        charset == "utf-16" ? Data(text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }) : Data(text.utf8)
      }
    }) { sandbox in
      #expect(await sandbox.run("show 138 name as json") == "{\"name\":\"먹색 요리책\"}\n")
      #expect(await sandbox.run("ls where id=138 columns id,name as csv").contains("138,먹색 요리책"))
    }
  }

  /// A byte order mark says what no header says, also before the edition is known; the text is shown and not its bytes.
  @Test(arguments: [true, false]) func byteOrderMarkIsRead(isLittleEndian: Bool) async throws {
    try await withSandbox({ response in
      ResponseCharsetTests.encoded(response, "") { text in
        Data(
          ([0xFEFF] + text.utf16).flatMap { unit -> [UInt8] in
            let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isLittleEndian ? bytes.reversed() : bytes
          })
      }
    }) { sandbox in
      #expect(await sandbox.run("show 138 name as json") == "{\"name\":\"먹색 요리책\"}\n")
      #expect(await sandbox.run("get /api/products/138 as csv").contains("먹색 요리책"))
      _ = await sandbox.run("profile add other url=\(sandbox.url.absoluteString)")
      let said = await sandbox.run("profile other; ls size 1 columns id as csv")
      #expect(said.contains("Detected edition open") && said.contains("\n141\n"), "\(said)")
    }
  }

  /// The text of an error is read by its byte order mark, whatever its type says; what is not text is not called empty.
  @Test(
    arguments: [
      ([0xFF, 0xFE], true, "text/plain", "Status 409: 서버 오류"),
      ([0xFE, 0xFF], false, "text/plain", "Status 409: 서버 오류"),
      ([0xFF, 0xFE], true, "text/plain; charset=utf-8", "Status 409: 서버 오류"),
      ([0xFF, 0xFE], true, "application/problem+xml", "Status 409: 서버 오류"),
      ([], false, "text/plain; charset=utf-16", "Status 409: 서버 오류"),
      ([], true, "text/plain", "Status 409 with data that is not text."),
    ] as [([UInt8], Bool, String, String)])
  func textOfAnErrorIsRead(_ mark: [UInt8], _ isLittleEndian: Bool, _ type: String, _ expected: String) async throws {
    let isOn = Mutex(false)
    try await withSandbox({ response in
      guard isOn.withLock({ $0 }) else { return response }
      let units = "서버 오류".utf16.flatMap { unit -> [UInt8] in
        let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
        return isLittleEndian ? bytes.reversed() : bytes
      }
      return Response(status: 409, headers: [HeaderField("Content-Type", type)], body: Data(mark + units))
    }) { sandbox in
      isOn.withLock { $0 = true }
      let said = await sandbox.run("show 138")
      #expect(said.contains("!   reason: \(expected)") && said.hasSuffix("= 1\n"), "\(said)")
    }
  }

  @Test func koreanCharsetIsDecoded() async throws {
    try await withSandbox({ response in
      ResponseCharsetTests.encoded(response, ";charset=EUC-KR") { text in
        // 먹색 요리책 in EUC-KR; everything else is ASCII enough.
        Data(
          text.unicodeScalars.flatMap { scalar -> [UInt8] in
            switch scalar {
            case "먹": [0xB8, 0xD4]
            case "색": [0xBB, 0xF6]
            case _ where scalar.isASCII: [UInt8(scalar.value)]
            default: [0xB0, 0xA1]
            }
          })
      }
    }) { sandbox in
      #expect(await sandbox.run("show 138 name as json").hasPrefix("{\"name\":\"먹색 "))
    }
  }

  /// One text is cut in the middle of a character, or in a charset that isn't named.
  @Test(arguments: [
    ([0xEB, 0xA8] as [UInt8], "is not UTF-8 (byte "),
    (Array(#"\ud83d"#.utf8), "contains half of a surrogate pair (byte "),
  ]) func unreadableTextIsNoValue(_ damage: [UInt8], _ words: String) async throws {
    let isOn = Mutex(false)
    try await withSandbox({ response in
      guard isOn.withLock({ $0 }) else { return response }
      var response = response
      while let range = response.body.firstRange(of: Data("먹색 요리책".utf8)) {
        response.body.replaceSubrange(range, with: damage)
      }
      return response
    }) { sandbox in
      _ = await sandbox.run("snapshot before")
      isOn.withLock { $0 = true }
      let shown = await sandbox.run("show 138")
      #expect(shown.contains(words) && shown.contains(", product 138)") && shown.hasSuffix("= 1\n"), "\(shown)")
      for line in ["rm 138 yes", "patch 138 stock=5 yes"] {
        let said = await sandbox.run(line)
        #expect(said.contains(words) && said.hasSuffix("= 1\n"), "\(line): \(said)")
      }
      for line in ["ls where id>130 columns id,name as csv", "export columns name as csv", "export to ~/all.csv"] {
        let said = await sandbox.run(line)
        #expect(said.contains("(product 138)") && said.hasSuffix("= 7\n"), "\(line): \(said)")
        #expect(!said.contains("\u{FFFD}") && !said.contains("\n138,"), "\(said)")
      }
      let file = try String(contentsOfFile: sandbox.folder + "/all.csv", encoding: .utf8)
      #expect(!file.contains("\u{FFFD}") && file.contains("\n132,") && !file.contains("\n138,"))
      isOn.withLock { $0 = false }
      #expect(await sandbox.run("show 138 name as json") == "{\"name\":\"먹색 요리책\"}\n")
    }
  }

  /// A product that really holds U+FFFD, which an earlier program stored, is shown with it.
  @Test func storedReplacementCharacterIsShown() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("patch 138 name='a\u{FFFD}bc' yes")
      #expect(await sandbox.run("show 138 name as json") == "{\"name\":\"a\u{FFFD}bc\"}\n")
      #expect(!(await sandbox.run("ls where id=138 as csv")).contains("\n= "))
    }
  }
}
