import Catalog
import Foundation
import Glibc
import Synchronization
import Text

/// A content-addressed store for picture data.
///
/// It contains the pictures of pending writes, which may be sent again, and backups of pictures that a delete removes.
struct BlobStore: Sendable {
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
  /// - Throws: `JournalError.quota` if the quota is exhausted.
  func store(_ data: Data) throws(JournalError) -> String {
    let name = SHA256.hex(data)
    let path = directory + "/" + name
    // Its age is reset, so that a `prune` of another shell doesn't remove it before its write is planned.
    if renew(name) { return name }
    if used() + data.count > quota { tally.invalidate() }
    guard data.count <= BlobStore.largest, used() + data.count <= quota else { throw .quota(bytes: quota) }
    let draft = path + "." + ULID.make()
    let descriptor = open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw PrivateFiles.failure(draft) }
    defer { close(descriptor) }
    let code = data.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
    guard code == 0, fsync(descriptor) == 0, rename(draft, path) == 0 else {
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
    return clock.now.seconds - Int64(facts.st_mtim.tv_sec)
  }

  /// Returns the total size as far as this process knows.
  ///
  /// Data added by other shells since the first call isn't counted.
  func used() -> Int { tally.value { names().reduce(0) { $0 + size($1) } } }
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
  func invalidate() { sum.withLock { $0 = nil } }

  /// Updates the sum if it has been computed.
  func add(_ amount: Int) { sum.withLock { $0 = $0.map { $0 + amount } } }
}
