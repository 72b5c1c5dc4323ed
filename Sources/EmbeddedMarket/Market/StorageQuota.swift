import Foundation
import GRDB
import Glibc

/// The limits of the disk space that a market uses.
///
/// Deletions are never refused because of them.
package struct StorageLimits: Hashable, Sendable {
  /// The maximum number of bytes of one vendor's products with their pictures, or `nil` for any.
  ///
  /// The editions of 2021 have no vendors, and so no such limit.
  package var vendorBytes: Int64?
  /// Indicates that creates and changes are refused while the disk is nearly full, and that space is reserved for deletions.
  package var keepsDiskFree: Bool

  package init(vendorBytes: Int64? = nil, keepsDiskFree: Bool = false) {
    (self.vendorBytes, self.keepsDiskFree) = (vendorBytes, keepsDiskFree)
  }

  /// No limits.
  package static let none = StorageLimits()
}

/// The enforcement of `StorageLimits`, with a file that reserves disk space for deletions.
struct StorageQuota: Sendable {
  let limits: StorageLimits
  let folder: String
  /// Returns the free bytes of the disk and its size, or `nil` if the system does not report them.
  var disk: @Sendable (_ folder: String) -> (free: Int64, size: Int64)? = StorageQuota.diskSpace

  /// The free bytes below which nothing is created: 1 GB, or a twentieth of a small disk.
  static func floor(ofDisk size: Int64) -> Int64 { min(1_000_000_000, size / 20) }

  /// The bytes that a product or a picture takes besides its texts and its content: rows, indexes and a part of a page.
  private static let rowBytes: Int64 = 1024

  /// Checks that the disk has free space, and reserves some of it for deletions.
  ///
  /// - Throws: A 507.
  func checkDisk() throws(MarketHTTPError) {
    guard limits.keepsDiskFree, let disk = disk(folder) else { return }
    let floor = StorageQuota.floor(ofDisk: disk.size)
    guard disk.free >= floor else {
      throw MarketHTTPError(
        507,
        "The disk of the server is nearly full: less than \(floor / 1_000_000) MB are free. Products can be deleted")
    }
    reserve()
  }

  /// Checks that a vendor may store more bytes, in the transaction that stores them.
  ///
  /// - Throws: A 507, and `DatabaseError`.
  func check(adding bytes: Int, of vendor: Int64, in database: Database) throws {
    guard let limit = limits.vendorBytes else { return }
    let sql = """
      SELECT ifnull(sum(bytes), 0) FROM (
        SELECT \(StorageQuota.rowBytes) + length(CAST(name AS BLOB)) * 2 + length(CAST(description AS BLOB)) AS bytes
          FROM products WHERE vendor = ?1
        UNION ALL
        SELECT \(StorageQuota.rowBytes) + length(b.bytes) FROM products p JOIN pictures c ON c.product = p.id
          JOIN picture_bytes b ON b.picture = c.id WHERE p.vendor = ?1)
      """
    let fields = try Int64.fetchOne(database.cachedStatement(sql: sql), arguments: [vendor]) ?? 0
    let taken = try fields + ProductMembers.byteCount(of: vendor, in: database)
    guard taken + Int64(bytes) <= limit else {
      throw MarketHTTPError(
        507, "The products of the vendor would take more than \(limit / 1_000_000) MB. Delete some of them")
    }
  }

  /// Runs a deletion; if the disk is full, gives the reserved space up and runs it again.
  func deleting<Value>(_ work: () async throws -> Value) async throws -> Value {
    do {
      return try await work()
    } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode) {
      guard limits.keepsDiskFree, unlink(reservePath) == 0 else { throw error }
      return try await work()
    }
  }

  private var reservePath: String { folder + "/reserve" }

  /// The bytes of the reserve: the log that a hundred deletions need.
  private static let reserveBytes = 8 * 1024 * 1024

  /// Creates the file that reserves space, unless it exists.
  private func reserve() {
    let file = open(reservePath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    if posix_fallocate(file, 0, off_t(StorageQuota.reserveBytes)) != 0 { unlink(reservePath) }
  }

  private static func diskSpace(_ folder: String) -> (free: Int64, size: Int64)? {
    var facts = statvfs()
    guard statvfs(folder, &facts) == 0 else { return nil }
    let (free, isTooMuch) = Int64(clamping: facts.f_bavail).multipliedReportingOverflow(
      by: Int64(clamping: facts.f_frsize))
    let (size, isTooLarge) = Int64(clamping: facts.f_blocks).multipliedReportingOverflow(
      by: Int64(clamping: facts.f_frsize))
    return isTooMuch || isTooLarge ? nil : (free, size)
  }
}

extension NewProduct {
  /// The bytes that the product takes with its pictures.
  var byteCount: Int {
    name.utf8.count * 2 + description.utf8.count + pictures.reduce(0) { $0 + $1.byteCount }
  }
}

extension NewPicture {
  /// The bytes of the picture and its thumbnail.
  var byteCount: Int {
    switch content {
    case .sent(let bytes, let thumbnail): bytes.count + (thumbnail == bytes ? 0 : thumbnail.count)
    case .drawn: 0
    }
  }
}
