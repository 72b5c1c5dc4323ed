import CZlib
import Foundation

/// How a call lies among those that wait: four bytes that no JSON holds, then the length and the CRC-32 of the rest, four
/// bytes each, the lowest first.
private enum CallFrame {
  static let marker: [UInt8] = [0x01, 0x1E, 0x1E, 0x02]
  static let headSize = 12
}

/// Reads call after call from a file of waiting ones.
struct CallReader {
  private let file: Int32
  private let size: Int
  let filling: Data
  /// Where the next call begins.
  private(set) var place: Int
  private var buffer: [UInt8] = []
  private var bufferStart = 0

  /// Bytes read at once.
  private static let piece = 256 << 10

  init(file: Int32, size: Int, filling: Data, place: Int) {
    self.file = file
    self.size = size
    self.filling = filling
    self.place = place
  }

  mutating func skip(to place: Int) { self.place = max(self.place, place) }

  /// Nil at the end; what is no call is passed over.
  mutating func next() -> (call: StoredCall, content: Data)? {
    while let start = nextMarker() {
      if let (body, end) = frame(at: start), let call = CallFields(body).call {
        place = end
        return call
      }
      place = start + 1
    }
    place = size
    return nil
  }

  private mutating func frame(at start: Int) -> (body: ArraySlice<UInt8>, end: Int)? {
    guard let head = bytes(start, CallFrame.headSize) else { return nil }
    var fields = CallFields(head.dropFirst(CallFrame.marker.count))
    guard let length = fields.number(UInt32.self), let sum = fields.number(UInt32.self),
      let body = bytes(start + CallFrame.headSize, Int(length)), body.crc == sum
    else { return nil }
    return (body, start + CallFrame.headSize + Int(length))
  }

  private mutating func nextMarker() -> Int? {
    let marker = CallFrame.marker
    // Nearly always it stands right here.
    if let here = bytes(place, marker.count), here.elementsEqual(marker) { return place }
    var start = place
    while start + marker.count <= size, let piece = bytes(start, min(CallReader.piece, size - start)) {
      var rest = piece
      while let found = rest.firstIndex(of: marker[0]) {
        if piece[found...].starts(with: marker) { return start + found - piece.startIndex }
        rest = piece[(found + 1)...]
      }
      start += max(1, piece.count - marker.count + 1)
    }
    return nil
  }

  private mutating func bytes(_ start: Int, _ count: Int) -> ArraySlice<UInt8>? {
    guard count <= size - start else { return nil }
    if start < bufferStart || start + count > bufferStart + buffer.count {
      let wanted = min(max(count, CallReader.piece), size - start)
      bufferStart = start
      buffer = [UInt8](unsafeUninitializedCapacity: wanted) { bytes, filled in
        while filled < wanted, let base = bytes.baseAddress {
          let more = pread(file, base + filled, wanted - filled, off_t(start + filled))
          if more < 0, errno == EINTR { continue }
          guard more > 0 else { return }
          filled += more
        }
      }
    }
    guard start + count <= bufferStart + buffer.count else { return nil }
    return buffer[(start - bufferStart)..<(start - bufferStart + count)]
  }
}

extension [UInt8] {
  /// A call behind its marker, length and sum: its numbers, its texts, each behind its length, and its content.
  mutating func addFrame(_ call: StoredCall, _ content: Data) {
    self += CallFrame.marker
    let start = count
    add(UInt64(0))
    for number in [call.started, Int64(call.duration), Int64(call.size), Int64(call.status ?? -1)] { add(number) }
    for text in [call.session, call.profile, call.base, call.method, call.path] { add(text) }
    add(UInt8(call.type == nil ? 0 : 1))
    if let type = call.type { add(type) }
    append(contentsOf: content)
    let length = UInt32(count - start - 8)
    let sum = self[(start + 8)...].crc
    withUnsafeMutableBytes { bytes in
      bytes.storeBytes(of: length.littleEndian, toByteOffset: start, as: UInt32.self)
      bytes.storeBytes(of: sum.littleEndian, toByteOffset: start + 4, as: UInt32.self)
    }
  }

  mutating func add(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  private mutating func add(_ text: String) {
    add(UInt32(text.utf8.count))
    append(contentsOf: text.utf8)
  }
}

extension ArraySlice<UInt8> {
  fileprivate var crc: UInt32 {
    withUnsafeBytes { UInt32(crc32(0, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count))) }
  }
}

/// The fields of a call one after the other, as `addFrame` wrote them.
private struct CallFields {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
    let size = MemoryLayout<Number>.size
    guard rest.count >= size else { return nil }
    defer { rest = rest.dropFirst(size) }
    return Number(littleEndian: rest.withUnsafeBytes { $0.loadUnaligned(as: type) })
  }

  private mutating func text() -> String? {
    guard let count = number(UInt32.self), rest.count >= count else { return nil }
    defer { rest = rest.dropFirst(Int(count)) }
    return String(decoding: rest.prefix(Int(count)), as: UTF8.self)
  }

  var call: (call: StoredCall, content: Data)? {
    var fields = self
    guard let started = fields.number(Int64.self), let duration = fields.number(Int64.self),
      let size = fields.number(Int64.self), let status = fields.number(Int64.self), let session = fields.text(),
      let profile = fields.text(), let base = fields.text(), let method = fields.text(), let path = fields.text(),
      let hasType = fields.number(UInt8.self)
    else { return nil }
    let type = hasType == 1 ? fields.text() : nil
    let call = StoredCall(
      session: session, started: started, duration: Int(duration), profile: profile, base: base, method: method,
      path: path, status: status < 0 ? nil : Int(status), size: Int(size), type: type)
    return (call, Data(fields.rest))
  }
}
