import Catalog
import Foundation
import Glibc
import Synchronization

/// A content-addressed store for picture data.
///
/// It contains the pictures of pending writes, which may be sent again, and backups of pictures that a delete removes.
struct Blobs: Sendable {
  let directory: String
  /// The maximum total size in bytes.
  let quota: Int
  /// The maximum size of one picture in bytes.
  static let largest = 20 << 20
  private let tally = Tally()

  init(directory: String, quota: Int) {
    self.directory = directory
    self.quota = quota
  }

  /// Stores data durably and returns its name.
  ///
  /// - Throws: `JournalFailure.quota` if the quota is exhausted.
  func keep(_ data: Data) throws(JournalFailure) -> String {
    let name = SHA256.hex(data)
    let path = directory + "/" + name
    // Its age is reset, so that a `sweep` of another shell doesn't remove it before its write is planned.
    if renew(name) { return name }
    if used() + data.count > quota { tally.forget() }
    guard data.count <= Blobs.largest, used() + data.count <= quota else { throw .quota(bytes: quota) }
    let draft = path + "." + ULID.make()
    let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure(draft) }
    defer { close(descriptor) }
    guard Blobs.write(data, to: descriptor), fsync(descriptor) == 0, rename(draft, path) == 0 else {
      let failure = PrivateFiles.failure(draft)
      unlink(draft)
      throw failure
    }
    PrivateFiles.sync(directory: directory)
    tally.add(data.count)
    return name
  }

  /// Returns the data, or `nil` if it is missing or doesn't match its hash.
  func bytes(_ name: String) -> Data? {
    guard name.utf8.count == 64, name.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      let data = FileManager.default.contents(atPath: directory + "/" + name), SHA256.hex(data) == name
    else { return nil }
    return data
  }

  /// Resets the age of the data, and returns false if it is missing.
  func renew(_ name: String) -> Bool { utimensat(AT_FDCWD, directory + "/" + name, nil, 0) == 0 }

  func remove(_ name: String) {
    let bytes = size(name)
    if unlink(directory + "/" + name) == 0 { tally.add(-bytes) }
  }

  func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? [] }

  func size(_ name: String) -> Int {
    var facts = stat()
    return lstat(directory + "/" + name, &facts) == 0 ? Int(facts.st_size) : 0
  }

  /// Returns the modification time in nanoseconds.
  ///
  /// If it is equal, the data wasn't stored again in between.
  func mark(_ name: String) -> String {
    var facts = stat()
    guard lstat(directory + "/" + name, &facts) == 0 else { return "" }
    return "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
  }

  /// Returns the age in seconds, or the smallest value if the data is missing.
  func age(_ name: String, _ clock: any JournalClock) -> Int64 {
    var facts = stat()
    guard lstat(directory + "/" + name, &facts) == 0 else { return .min }
    return clock.wall.seconds - Int64(facts.st_mtim.tv_sec)
  }

  /// Returns the total size as far as this process knows.
  ///
  /// Data added by other shells since the first call isn't counted.
  func used() -> Int { tally.value { names().reduce(0) { $0 + size($1) } } }

  private static func write(_ data: Data, to descriptor: Int32) -> Bool {
    data.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      var at = 0
      while at < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + at }, bytes.count - at)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return false }
        at += count
      }
      return true
    }
  }
}

/// A sum that is computed once and then updated.
final class Tally: Sendable {
  private let sum = Mutex<Int?>(nil)

  func value(counting: () -> Int) -> Int {
    sum.withLock { sum in
      let value = sum ?? counting()
      sum = value
      return value
    }
  }

  /// Discards the sum, so that it is computed again when needed.
  func forget() { sum.withLock { $0 = nil } }

  /// Updates the sum if it has been computed.
  func add(_ amount: Int) { sum.withLock { $0 = $0.map { $0 + amount } } }
}

/// SHA-256 (FIPS 180-4).
///
/// As the name of picture data it avoids duplicates and detects changes.
package enum SHA256 {
  /// Returns the hash in 64 lowercase hexadecimal digits.
  package static func hex(_ data: Data) -> String {
    var state: [UInt32] = [
      0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    var bytes = [UInt8](data)
    let bits = UInt64(bytes.count) * 8
    bytes.append(0x80)
    bytes.append(contentsOf: [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64))
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    var words = [UInt32](repeating: 0, count: 64)
    bytes.withUnsafeBufferPointer { block in
      for start in stride(from: 0, to: block.count, by: 64) { mix(block, start, &words, &state) }
    }
    return state.map { word in
      let text = String(word, radix: 16)
      return String(repeating: "0", count: 8 - text.count) + text
    }.joined()
  }

  private static func mix(
    _ block: UnsafeBufferPointer<UInt8>, _ start: Int, _ words: inout [UInt32], _ state: inout [UInt32]
  ) {
    for i in 0..<16 {
      let at = start + i * 4
      words[i] = UInt32(block[at]) << 24 | UInt32(block[at + 1]) << 16 | UInt32(block[at + 2]) << 8
      words[i] |= UInt32(block[at + 3])
    }
    for i in 16..<64 {
      let a = words[i - 15]
      let b = words[i - 2]
      let s0 = turn(a, 7) ^ turn(a, 18) ^ (a >> 3)
      let s1 = turn(b, 17) ^ turn(b, 19) ^ (b >> 10)
      words[i] = words[i - 16] &+ s0 &+ words[i - 7] &+ s1
    }
    // Eight variables are faster than an array; this runs for every byte of every picture.
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for i in 0..<64 {
      let first = h &+ (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) &+ ((e & f) ^ (~e & g)) &+ constants[i] &+ words[i]
      let second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) &+ ((a & b) ^ (a & c) ^ (b & c))
      (h, g, f, e, d, c, b, a) = (g, f, e, d &+ first, c, b, a, first &+ second)
    }
    for (i, word) in [a, b, c, d, e, f, g, h].enumerated() { state[i] &+= word }
  }

  private static func turn(_ word: UInt32, _ by: UInt32) -> UInt32 { word >> by | word << (32 - by) }

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let constants: [UInt32] = [
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
  ]
}
