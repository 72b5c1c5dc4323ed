import Failures
import Foundation
import Marketplace
import Platform

/// Snapshots as programs kept them before there were versions: a folder for each place and edition, a file for each name.
package struct SnapshotFolder {
  private static let ending = ".jsonl"
  /// A million products and their words.
  private static let limit = 1 << 30
  /// Bytes of a first line, with an address as long as addresses get.
  private static let longestHead = 16_384

  private let folder: String

  package init(_ folder: String) { self.folder = folder }

  /// - Parameters:
  ///   - snapshots: the folder of the home that holds all of them.
  ///   - place: a profile, or an address.
  package init(in snapshots: String, of place: String, _ edition: Edition) {
    folder = snapshots + "/" + SnapshotFolder.fileName(place) + "/" + edition.rawValue
  }

  /// True for what can be the name of a snapshot, and of a file.
  package static func canBeName(_ name: String) -> Bool {
    (1...100).contains(name.utf8.count) && name.first != "." && name.first != "-" && fileName(name) == name
  }

  /// Every letter and digit as it is, everything else spelled as `%2F`: one part of a path, whatever the text.
  package static func fileName(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isPlain = scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "-" || scalar == "_"
      if isPlain || (scalar == "." && !result.isEmpty) {
        result.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 { result += "%" + String(byte, radix: 16, uppercase: true) }
      }
    }
    return result
  }

  package func has(_ name: String) -> Bool { access(path(name), F_OK) == 0 }

  /// Names with what their first lines say, the oldest first; files that do not begin as snapshots do are passed over. Only
  /// those lines are read: what a file holds is looked at when it is used.
  package func list() -> [(name: String, head: Snapshot.Head)] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    var found: [(name: String, head: Snapshot.Head)] = []
    for file in files where file.hasSuffix(SnapshotFolder.ending) {
      let name = String(file.dropLast(SnapshotFolder.ending.count))
      guard SnapshotFolder.canBeName(name), let head = try? head(name) else { continue }
      found.append((name, head))
    }
    return found.sorted { ($0.head.taken, $0.name) < ($1.head.taken, $1.name) }
  }

  /// Nil when there is none of that name, or its first line says nothing.
  private func head(_ name: String) throws -> Snapshot.Head? {
    guard let line = try Files.firstLine(path(name), limit: SnapshotFolder.longestHead) else { return nil }
    return Snapshot.Head(line)
  }

  /// Nil when there is none of that name.
  ///
  /// - Throws: `FileError`, `.malformed` for what is no snapshot.
  package func load(_ name: String) throws(FileError) -> Snapshot? {
    let path = path(name)
    guard let data = try Files.read(path, limit: SnapshotFolder.limit) else { return nil }
    return try Snapshot(data, named: name, at: path)
  }

  /// Forgets the snapshot of that name.
  ///
  /// - Throws: `FileError.cannotWrite` where there is none, or it cannot be removed.
  package func remove(_ name: String) throws(FileError) {
    guard unlink(path(name)) == 0 else { throw .cannotWrite(path: path(name), errno: errno) }
  }

  private func path(_ name: String) -> String { folder + "/" + name + SnapshotFolder.ending }
}
