import CZlib
import Foundation

/// Calls on their way into the archive, one behind the other in a file that is only appended to: whoever made them waits
/// for no transaction, and whoever asks about calls takes them in first.
///
/// The file begins with a head of 16 bytes: `omcalls`, the version of the format, and eight bytes by chance that tell this
/// filling from the one before. Each call follows as four bytes that no JSON holds, its length and its CRC-32 (four bytes
/// each, the lowest first), its numbers, its texts and its content. Several shells append at once, each under the file's
/// lock; of one that was killed meanwhile half a call stays, which is passed over.
struct CallSpool: Sendable {
  /// Raised with any change that an older program could misread.
  static let version: UInt8 = 1

  private static let name = Array("omcalls".utf8)
  private static let headSize = 16
  /// What a call begins with: marker, length and sum.
  fileprivate static let marker: [UInt8] = [0x01, 0x1E, 0x1E, 0x02]
  fileprivate static let frameHead = 12
  /// Milliseconds that another shell's lock is waited for, and between two tries.
  private static let (patience, pause) = (500, 2)

  private let path: String

  init(at path: String) { self.path = path }

  /// Bytes that wait.
  var size: Int {
    var facts = stat()
    return stat(path, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Appends them all, or none.
  ///
  /// - Throws: `ArchiveFailure`.
  func append(_ calls: [(call: StoredCall, content: Data)]) throws(ArchiveFailure) {
    let file = try opened(O_RDWR | O_APPEND | O_CREAT)
    defer { close(file) }
    let size = try locked(file)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(calls.reduce(CallSpool.headSize) { $0 + $1.content.count + 512 })
    if size < CallSpool.headSize {
      ftruncate(file, 0)
      bytes += CallSpool.name + [CallSpool.version]
      bytes.add(UInt64.random(in: .min ... .max))
    } else {
      _ = try filling(of: file)
    }
    for (call, content) in calls { bytes.addFrame(call, content) }
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let reason = errno
        // Half a call would hide those behind it.
        ftruncate(file, off_t(size))
        throw failure(reason)
      }
      done += count
    }
  }

  /// Hands out what waits, while no other shell appends or takes; when `take` comes back the file is empty.
  ///
  /// - Throws: `ArchiveFailure`, of `take` too; everything waits on then.
  func drain(_ take: (inout Reader) throws(ArchiveFailure) -> Void) throws(ArchiveFailure) {
    guard size > 0 else { return }
    let file = try opened(O_RDWR)
    defer { close(file) }
    let size = try locked(file)
    if size > CallSpool.headSize {
      var reader = Reader(file: file, size: size, filling: try filling(of: file), place: CallSpool.headSize)
      try take(&reader)
    }
    ftruncate(file, 0)
  }

  private func opened(_ flags: Int32) throws(ArchiveFailure) -> Int32 {
    let file = open(path, flags | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0o600)
    guard file >= 0 else { throw failure(errno) }
    return file
  }

  /// Its size, from here on this shell's alone to change.
  private func locked(_ file: Int32) throws(ArchiveFailure) -> Int {
    var tries = CallSpool.patience / CallSpool.pause
    while flock(file, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { throw failure(errno) }
      guard tries > 0 else { throw .busy }
      tries -= 1
      usleep(UInt32(CallSpool.pause * 1000))
    }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw failure(errno) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw failure(EINVAL) }
    return Int(facts.st_size)
  }

  /// What tells this filling of the file from others.
  private func filling(of file: Int32) throws(ArchiveFailure) -> Data {
    var head = [UInt8](repeating: 0, count: CallSpool.headSize)
    let count = head.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    let name = CallSpool.name
    guard count == head.count, head.starts(with: name) else { throw .damaged(path: path) }
    guard head[name.count] <= CallSpool.version else { throw .newer(path: path, version: Int(head[name.count])) }
    return Data(head[(name.count + 1)...])
  }

  private func failure(_ code: Int32) -> ArchiveFailure {
    code == ENOSPC || code == EDQUOT || code == EFBIG
      ? .diskFull : .unreachable(path: path, reason: String(cString: strerror(code)))
  }

  /// Reads call after call.
  struct Reader {
    private let file: Int32
    private let size: Int
    let filling: Data
    /// Where the next call begins.
    private(set) var place: Int
    private var buffer: [UInt8] = []
    private var bufferStart = 0

    /// Bytes read at once.
    private static let piece = 256 << 10

    fileprivate init(file: Int32, size: Int, filling: Data, place: Int) {
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
      guard let head = bytes(start, CallSpool.frameHead) else { return nil }
      var fields = CallFields(head.dropFirst(CallSpool.marker.count))
      guard let length = fields.number(UInt32.self), let sum = fields.number(UInt32.self),
        let body = bytes(start + CallSpool.frameHead, Int(length)), body.crc == sum
      else { return nil }
      return (body, start + CallSpool.frameHead + Int(length))
    }

    private mutating func nextMarker() -> Int? {
      let marker = CallSpool.marker
      // Nearly always it stands right here.
      if let here = bytes(place, marker.count), here.elementsEqual(marker) { return place }
      var start = place
      while start + marker.count <= size, let piece = bytes(start, min(Reader.piece, size - start)) {
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
        let wanted = min(max(count, Reader.piece), size - start)
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
}

extension [UInt8] {
  /// A call behind its marker, length and sum: its numbers, its texts, each behind its length, and its content.
  fileprivate mutating func addFrame(_ call: StoredCall, _ content: Data) {
    self += CallSpool.marker
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

  fileprivate mutating func add(_ number: some FixedWidthInteger) {
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
