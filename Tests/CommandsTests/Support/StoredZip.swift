import CZlib
import Foundation

/// A ZIP archive of a workbook, whose entries aren't compressed.
struct StoredZip {
  struct Sheet {
    var name: String
    var attributes = ""
    var text: String
    var type = "worksheet"
  }

  private(set) var bytes = Data()

  init(sheet: String) { self.init(sheets: [Sheet(name: "S", text: sheet)]) }

  /// - Parameter isLong: Whether sizes and offsets are in the 64-bit fields of ZIP64, as some programs write them always.
  init(sheets: [Sheet], strings: String? = nil, styles: String? = nil, isLong: Bool = false) {
    let book = sheets.enumerated().map { "<sheet name=\"\($1.name)\" id=\"r\($0)\"\($1.attributes)/>" }.joined()
    let relations = sheets.enumerated().map {
      "<Relationship Id=\"r\($0)\" Type=\"http://x.example/\($1.type)\" Target=\"/xl/sheet\($0).xml\"/>"
    }.joined()
    var parts = [
      ("xl/workbook.xml", "<workbook><sheets>\(book)</sheets></workbook>"),
      ("xl/_rels/workbook.xml.rels", "<x>\(relations)</x>"),
    ]
    parts += sheets.enumerated().map { ("xl/sheet\($0).xml", $1.text) }
    if let strings { parts.append(("xl/sharedStrings.xml", strings)) }
    if let styles { parts.append(("xl/styles.xml", styles)) }
    self.init(parts: parts.map { ($0, Data($1.utf8)) }, isLong: isLong)
  }

  /// Creates a workbook with many sheets that are one part.
  init(sameSheet text: String, times count: Int) {
    let book = (0..<count).map { "<sheet name=\"S\($0)\" id=\"r0\"/>" }.joined()
    let relation = "<Relationship Id=\"r0\" Type=\"http://x.example/worksheet\" Target=\"/xl/sheet0.xml\"/>"
    let parts = [
      ("xl/workbook.xml", "<workbook><sheets>\(book)</sheets></workbook>"),
      ("xl/_rels/workbook.xml.rels", "<x>\(relation)</x>"), ("xl/sheet0.xml", text),
    ]
    self.init(parts: parts.map { ($0, Data($1.utf8)) })
  }

  init(parts: [(name: String, content: Data)], isLong: Bool = false) {
    var directory = Data()
    for (name, data) in parts {
      let offset = bytes.count
      let name = Data(name.utf8)
      let size = isLong ? 0xFFFF_FFFF : data.count
      let checksum = data.withUnsafeBytes { Int(crc32_z(0, $0.bindMemory(to: UInt8.self).baseAddress, $0.count)) }
      let own = isLong ? number(1, 2) + number(16, 2) + number(data.count, 8) + number(data.count, 8) : Data()
      bytes += number(0x0403_4B50, 4) + number(0, 10) + number(checksum, 4) + number(size, 4) + number(size, 4)
      bytes += number(name.count, 2) + number(own.count, 2) + name + own + data
      let extra =
        isLong
        ? number(7, 2) + number(1, 2) + number(0, 1) + number(1, 2) + number(24, 2) + number(data.count, 8)
          + number(data.count, 8) + number(offset, 8) : Data()
      directory += number(0x0201_4B50, 4) + number(0, 12) + number(checksum, 4) + number(size, 4) + number(size, 4)
      directory += number(name.count, 2) + number(extra.count, 2) + number(0, 10)
      directory += number(isLong ? 0xFFFF_FFFF : offset, 4) + name + extra
    }
    let start = bytes.count
    bytes += directory
    if isLong {
      let record = bytes.count
      bytes += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2) + number(0, 8)
      bytes += number(parts.count, 8) + number(parts.count, 8) + number(directory.count, 8) + number(start, 8)
      bytes += number(0x0706_4B50, 4) + number(0, 4) + number(record, 8) + number(1, 4)
    }
    let count = isLong ? 0xFFFF : parts.count
    bytes += number(0x0605_4B50, 4) + number(0, 4) + number(count, 2) + number(count, 2)
    bytes += number(isLong ? 0xFFFF_FFFF : directory.count, 4) + number(isLong ? 0xFFFF_FFFF : start, 4) + number(0, 2)
  }

  private func number(_ value: Int, _ size: Int) -> Data {
    Data((0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> (8 * $0)) : 0 })
  }
}
