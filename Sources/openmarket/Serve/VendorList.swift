import ArgumentParser
import EmbeddedMarket
import Foundation
import Platform
import Text

/// The vendors that `serve --vendors` asks for: a number of them, or a file with one on each line.
///
/// A line of the file is `NAME`, `NAME,IDENTIFIER` or `NAME,IDENTIFIER,SECRET`; what is left out is made, and kept with the
/// market's data. Blank lines and lines that begin with `#` are passed over.
struct VendorList {
  static let most = 500

  let wanted: [WantedVendor]

  /// Throws a `ValidationError` that names the line, or what is wrong with the number.
  init(_ text: String) throws {
    if let count = Int(text) {
      guard (0...VendorList.most).contains(count) else {
        throw ValidationError("--vendors is 0 to \(VendorList.most), or a file.")
      }
      wanted = count == 0 ? [] : (1...count).map { WantedVendor(name: "vendor\($0)") }
    } else {
      let rows = try VendorList.read(text).rows.enumerated().map { ($0.offset + 1, $0.element.trimmed) }
      wanted = try rows.filter { !$0.1.isEmpty && !$0.1.hasPrefix("#") }.map { number, row in
        try VendorList.vendor(row) { ValidationError("\(text), line \(number): \($0)") }
      }
    }
    try check()
  }

  private static func read(_ path: String) throws -> String {
    guard let bytes = try? Files.read(path), let text = String(validating: bytes, as: UTF8.self) else {
      throw ValidationError("--vendors is a number, or a file that can be read; '\(path)' is neither.")
    }
    return text
  }

  private static func vendor(_ row: String, _ problem: (String) -> ValidationError) throws -> WantedVendor {
    let cells = row.split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed)
    guard (1...3).contains(cells.count), !cells[0].isEmpty else {
      throw problem("NAME, IDENTIFIER and SECRET are wanted.")
    }
    guard row.unicodeScalars.allSatisfy(\.isVisible) else { throw problem("It holds characters that cannot be seen.") }
    let rest = cells.dropFirst().map { $0.isEmpty ? nil : $0 }
    guard rest.compactMap({ $0 }).joined().utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw problem("An identifier goes into a header: letters, digits and signs of ASCII only.")
    }
    return WantedVendor(name: cells[0], identifier: rest.first ?? nil, secret: rest.count > 1 ? rest.last ?? nil : nil)
  }

  /// Two of one name would be one vendor, and an identifier tells who it is.
  private func check() throws {
    let identifiers = wanted.compactMap { $0.identifier?.lowercased() } + [EmbeddedMarket.demoVendor.identifier]
    guard Set(wanted.map(\.name)).count == wanted.count, Set(identifiers).count == identifiers.count else {
      throw ValidationError("--vendors: names and identifiers come once each.")
    }
  }
}
