import Foundation
import Text

/// Text decoded from the bytes of a file in a detected encoding.
///
/// Spreadsheets write UTF-8, UTF-16 or the code page of their machine without declaring it.
package struct DecodedText: Hashable, Sendable {
  /// A detected encoding.
  package enum Encoding: Hashable, Sendable, CaseIterable {
    case utf8
    case utf16
    /// CP949, the code page of Korean Windows and a superset of EUC-KR.
    case cp949
  }

  /// The reason why bytes can't be decoded.
  package enum Fault: Error, Hashable, Sendable {
    /// A byte is invalid in the most probable encoding, or `nil` if none is more probable than the others.
    case invalid(InvalidByte, Encoding?)
    /// It isn't UTF-8 or UTF-16, and this system has no conversion table of CP949.
    case noTableOfCP949
  }

  package let text: String
  package let encoding: Encoding

  /// Decodes the bytes.
  ///
  /// A byte order mark is removed.
  ///
  /// - Parameter codePage: The name of CP949 for the system's converter; for tests.
  /// - Throws: `Fault`.
  package init(_ bytes: Data, codePage: String = "CP949") throws(Fault) {
    if let order = DecodedText.order(of: bytes) {
      do throws(InvalidUnit) {
        self.init(try DecodedText.utf16(bytes, order), .utf16)
        return
      } catch {
        throw .invalid(InvalidByte(at: error.offset, of: bytes, unit: order), .utf16)
      }
    }
    if let text = String(validating: bytes, as: UTF8.self) {
      self.init(text, .utf8)
      return
    }
    let unicode = InvalidUTF8.firstOffset(in: bytes) ?? 0
    do throws(Charset.Fault) {
      self.init(try Charset.cp949.text(of: bytes, table: codePage), .cp949)
    } catch {
      guard case .invalid(let offset) = error else { throw .noTableOfCP949 }
      // The encoding in which more can be decoded is the one that was meant.
      let encoding: Encoding? = offset > unicode ? .cp949 : offset < unicode ? .utf8 : nil
      throw .invalid(InvalidByte(at: max(offset, unicode), of: bytes), encoding)
    }
  }

  private init(_ text: String, _ encoding: Encoding) {
    self.text = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
    self.encoding = encoding
  }

  // MARK: UTF-16

  fileprivate enum Order { case little, big }

  private struct InvalidUnit: Error { var offset: Int }

  /// Detects the byte order by the byte order mark, or else by the zero bytes: digits, commas and newlines have one in
  /// every unit.
  private static func order(of bytes: Data) -> Order? {
    if bytes.starts(with: [0xFF, 0xFE]) { return .little }
    if bytes.starts(with: [0xFE, 0xFF]) { return .big }
    let start = bytes.prefix(1_000)
    var zeros = (even: 0, odd: 0)
    for (index, byte) in start.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    // Text in other encodings contains no zero bytes.
    guard zeros.even + zeros.odd > start.count / 8 else { return nil }
    return zeros.odd > zeros.even ? .little : .big
  }

  private static func utf16(_ bytes: Data, _ order: Order) throws(InvalidUnit) -> String {
    guard bytes.count.isMultiple(of: 2) else { throw InvalidUnit(offset: bytes.count - 1) }
    var units: [UInt16] = []
    units.reserveCapacity(bytes.count / 2)
    var rest = bytes[...]
    while let first = rest.popFirst(), let second = rest.popFirst() {
      let (low, high) = order == .little ? (first, second) : (second, first)
      units.append(UInt16(high) << 8 | UInt16(low))
    }
    if let text = String(validating: units, as: UTF16.self) { return text }
    var index = 0
    while index < units.count {
      guard UTF16.isLeadSurrogate(units[index]) || UTF16.isTrailSurrogate(units[index]) else {
        index += 1
        continue
      }
      guard UTF16.isLeadSurrogate(units[index]), index + 1 < units.count, UTF16.isTrailSurrogate(units[index + 1])
      else { break }
      index += 2
    }
    throw InvalidUnit(offset: index * 2)
  }
}

/// The place of a byte that is invalid in the encoding of a file.
package struct InvalidByte: Hashable, Sendable {
  /// The line, from 1.
  package let line: Int
  /// The number of the byte in its line, from 1.
  package let column: Int
  package let value: UInt8

  fileprivate init(at offset: Int, of bytes: Data, unit: DecodedText.Order? = nil) {
    let before = bytes.prefix(offset)
    let start: Int
    if let unit {
      let feed = stride(from: 0, to: offset - 1, by: 2).filter { index in
        let (first, second) = (bytes[bytes.startIndex + index], bytes[bytes.startIndex + index + 1])
        return unit == .little ? (first, second) == (0x0A, 0) : (first, second) == (0, 0x0A)
      }
      line = feed.count + 1
      start = feed.last.map { $0 + 2 } ?? 0
    } else {
      line = before.count { $0 == 0x0A } + 1
      start = before.lastIndex(of: 0x0A).map { $0 - bytes.startIndex + 1 } ?? 0
    }
    column = offset - start + 1
    value = offset < bytes.count ? bytes[bytes.startIndex + offset] : 0
  }

  /// Finds the first byte that isn't UTF-8, or returns `nil` if all are.
  package init?(inUTF8 bytes: Data) {
    guard let offset = InvalidUTF8.firstOffset(in: bytes) else { return nil }
    self.init(at: offset, of: bytes)
  }

  /// The byte as it is written in messages: `0xE9`.
  package var hexadecimal: String {
    let digits = String(value, radix: 16, uppercase: true)
    return "0x" + (digits.utf8.count < 2 ? "0" : "") + digits
  }
}

/// Reads a file that must not change during the read: one that another program writes to is rejected rather than half
/// understood.
package enum StableFileReader {
  /// Returns the contents as text.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  ///   - whileReading: Called between the read and the check; for tests.
  /// - Returns: The text.
  /// - Throws: `FileError`: `.notText` if it is not UTF-8, `.modifiedWhileReading` if it was written to during the read,
  ///   `.cannotRead` also if it does not exist.
  package static func text(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> String {
    let bytes = try data(path, limit: limit, whileReading: whileReading)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path: path, at: InvalidByte(inUTF8: bytes))
    }
    return text
  }

  /// Returns the contents.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - limit: The maximum size in bytes.
  ///   - whileReading: Called between the read and the check; for tests.
  /// - Returns: The bytes.
  /// - Throws: `FileError`: `.modifiedWhileReading` if the file was written to during the read, `.cannotRead` also if it does not
  ///   exist.
  package static func data(
    _ path: String, limit: Int, whileReading: () -> Void = {}
  ) throws(FileError) -> Data {
    let before = try state(path)
    guard let bytes = try Files.read(path, limit: limit) else { throw .cannotRead(path: path, errno: ENOENT) }
    whileReading()
    guard try state(path) == before, before.size == bytes.count else { throw .modifiedWhileReading(path: path) }
    return bytes
  }

  private struct State: Equatable {
    var file: UInt64
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private static func state(_ path: String) throws(FileError) -> State {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannotRead(path: path, errno: errno) }
    return State(
      file: UInt64(status.st_ino), size: Int(status.st_size), seconds: status.st_mtim.tv_sec,
      nanoseconds: status.st_mtim.tv_nsec)
  }
}
