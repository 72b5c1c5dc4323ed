import Catalog
import Foundation
import Glibc
import Synchronization

/// Picture bytes by the hash of what they are: those sent, so that an open write can be sent again, and those saved before
/// a delete, so that it can be taken back.
struct Blobs: Sendable {
  let directory: String
  /// Bytes all together.
  let quota: Int
  /// Bytes of one.
  static let largest = 20 << 20
  private let tally = Tally()

  init(directory: String, quota: Int) {
    self.directory = directory
    self.quota = quota
  }

  /// Keeps the bytes durably and answers with their name.
  /// - Throws: `quota` when it is used up.
  func keep(_ data: Data) throws(JournalFailure) -> String {
    let name = SHA256.hex(data)
    let path = directory + "/" + name
    // As young as if it were new: a sweep of another shell does not take it before its write is planned.
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

  /// Nil when it is gone or no longer what it was.
  func bytes(_ name: String) -> Data? {
    guard name.utf8.count == 64, name.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }),
      let data = FileManager.default.contents(atPath: directory + "/" + name), SHA256.hex(data) == name
    else { return nil }
    return data
  }

  /// As young as if it were kept now; false when it is gone.
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

  /// When it was kept last, to the nanosecond; two that are equal say that nobody has kept it again in between.
  func mark(_ name: String) -> String {
    var facts = stat()
    guard lstat(directory + "/" + name, &facts) == 0 else { return "" }
    return "\(facts.st_mtim.tv_sec).\(facts.st_mtim.tv_nsec)"
  }

  /// Seconds since it was kept; none for one that is gone.
  func age(_ name: String, _ clock: any JournalClock) -> Int64 {
    var facts = stat()
    guard lstat(directory + "/" + name, &facts) == 0 else { return .min }
    return clock.wall.seconds - Int64(facts.st_mtim.tv_sec)
  }

  /// Bytes all together, as far as this process knows: what other shells add since the first look is not counted.
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

/// A sum that is counted once and then kept up.
final class Tally: Sendable {
  private let sum = Mutex<Int?>(nil)

  func value(counting: () -> Int) -> Int {
    sum.withLock { sum in
      let value = sum ?? counting()
      sum = value
      return value
    }
  }

  /// Counts anew the next time it is asked for.
  func forget() { sum.withLock { $0 = nil } }

  /// Before the first count there is nothing to keep up.
  func add(_ amount: Int) { sum.withLock { $0 = $0.map { $0 + amount } } }
}
