import Catalog
import Foundation
import Networking
import Platform
import Text

/// The numbers of sales, in a file next to their plans.
///
/// A number is given once and never again, also after its sale was canceled, has ended or is missing. Sales of a version
/// that numbered them by their order get the numbers of that order.
struct SaleNumbers: Hashable {
  private static let head =
    JSON.object([("openmarket", .string("sale-numbers")), ("version", .int(1))]).serialized + "\n"
  private static let maximumBytes = 16 << 20
  private static let maximumNumber = 999_999_999

  private var numbers: [String: Int] = [:]
  private var highest = 0
  private let path: String

  /// Reads the file, which is missing before the first sale.
  ///
  /// Lines that aren't numbers of sales are ignored.
  ///
  /// - Throws: `FileError`.
  init(_ path: String) throws(FileError) {
    self.path = path
    guard let bytes = try Files.read(path, limit: SaleNumbers.maximumBytes) else { return }
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      guard let object = (try? JSON(parsing: line))?.object, let number = (try? object.int("n")) ?? nil,
        (1...SaleNumbers.maximumNumber).contains(number), let sale = (try? object.string("sale")) ?? nil
      else { continue }
      numbers[sale] = number
      highest = max(highest, number)
    }
  }

  subscript(sale: String) -> Int? { numbers[sale] }

  /// Returns the number of a sale; one that has none gets the next.
  mutating func number(of sale: String) -> Int {
    if let number = numbers[sale] { return number }
    highest += 1
    numbers[sale] = highest
    return highest
  }

  /// Makes the next number higher than that of every sale whose plan is stored.
  ///
  /// The file may be older than the plans, where a part of the home was restored from a backup.
  mutating func skip(_ count: Int) { highest = max(highest, min(count, SaleNumbers.maximumNumber)) }

  /// Writes the complete file, also to the disk.
  ///
  /// - Throws: `FileError.cannotWrite`; the existing file is unchanged then.
  func save() throws(FileError) {
    let lines = numbers.sorted { $0.value < $1.value }.map { sale, number in
      JSON.object([("n", .int(number)), ("sale", .string(sale))]).serialized + "\n"
    }
    try Files.write(Data((SaleNumbers.head + lines.joined()).utf8), to: path, mode: 0o600)
  }
}
