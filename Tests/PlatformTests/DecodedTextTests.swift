import Foundation
import Platform
import TestSupport
import Testing

/// Bytes of files in the encodings of spreadsheets are decoded to text, or the first invalid byte is named.
@Suite(.timeLimit(Trial.limit)) struct DecodedTextTests {
  /// An invalid byte is named with its line, and the encoding that the rest of the file is in.
  @Test func invalidByteIsNamedWithItsLine() throws {
    func fault(_ bytes: [UInt8], codePage: String = "CP949") -> DecodedText.Fault? {
      do throws(DecodedText.Fault) {
        _ = try DecodedText(Data(bytes), codePage: codePage)
        return nil
      } catch {
        return error
      }
    }
    func place(_ bytes: [UInt8]) -> String {
      guard case .invalid(let byte, let encoding)? = fault(bytes) else { return "-" }
      return "\(encoding.map { "\($0)" } ?? "-") \(byte.line):\(byte.column) \(byte.hexadecimal)"
    }
    let korean: [UInt8] = [0xB0, 0xA1, 0x2C, 0x31, 0x0A]
    #expect(place(korean + korean + [0x31, 0x2C, 0xFF] + korean) == "cp949 3:3 0xFF")
    #expect(place(Array("이름\n컵\n".utf8) + [0x63, 0x80, 0x0A] + Array("접시\n".utf8)) == "utf8 3:2 0x80")
    #expect(place(Array("a,b\ncaf".utf8) + [0xE9, 0x2C, 0x0A]) == "- 2:4 0xE9")
    #expect(place([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00, 0x00, 0xDC, 0x61, 0x00]) == "utf16 2:1 0x00")
    #expect(place([0xFF, 0xFE, 0x61, 0x00, 0x0A, 0x00, 0x62]) == "utf16 2:1 0x62")
    #expect(fault(korean, codePage: "NO-SUCH-PAGE") == .noTableOfCP949)
  }

  /// Any bytes are decoded to a text or rejected, and a text is decoded unchanged.
  @Test func anyBytesAreDecodedOrRefused() throws {
    var random = SplitMix64(Trial.seed)
    for _ in 0..<Trial.count(2_000, long: 100_000) {
      let bytes = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Bool.random(using: &random)
          ? UInt8.random(in: 0...255, using: &random) : [0, 44, 0xB0, 0xA1][Int.random(in: 0...3, using: &random)]
      }
      guard let decoded = try? DecodedText(Data(bytes)), decoded.encoding == .utf8 else { continue }
      #expect(Array(decoded.text.utf8) == bytes || bytes.starts(with: [0xEF, 0xBB, 0xBF]))
    }
    #expect(try DecodedText(Data([0xC7, 0xD1, 0x2C, 0x31])).text == "한,1")
    #expect(try DecodedText(Data()).text == "")
  }
}
