import Catalog
import Foundation
import Networking
import Platform

/// The files that this program wrote for the user, as they were then.
///
/// The newest five hundred are recorded in the home folder for later sessions.
package struct WrittenFiles: Sendable {
  /// A file as it was left.
  package struct Record: Hashable, Sendable {
    package var path: String
    package var digest: FileDigest
    /// The file in the home folder with the cells of an export.
    package var base: String?
    /// The market of an export.
    package var market: String?
    package var made: Timestamp?
  }

  /// The status of a file before it is overwritten.
  package enum Standing: Hashable, Sendable {
    /// The file doesn't exist, is empty, or isn't a regular file.
    case nothingToLose
    /// The file is unchanged since this program wrote it.
    case unmodified
    case modified
    case unknownOrigin
  }

  package static let version = 1
  private static let head = JSON.object([("openmarket", .string("written")), ("version", .int(version))]).serialized

  private static let maximumCount = 500
  private static let maximumBaselineCount = 20
  private static let maximumBaseBytes = 256 << 20

  private let home: AppDirectories

  package init(_ home: AppDirectories) { self.home = home }

  /// Returns the status of the file at `path`.
  package func standing(of path: String) -> Standing {
    let place = WriteDestination(path)
    var status = stat()
    guard !place.isSpecialFile, stat(place.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size > 0
    else { return .nothingToLose }
    guard let record = record(of: path) else { return .unknownOrigin }
    guard status.st_size == record.digest.size else { return .modified }
    return FileDigest(ofFile: place.path) == record.digest ? .unmodified : .modified
  }

  package func record(of path: String) -> Record? {
    let path = WrittenFiles.absolute(path)
    return records()?.last { $0.path == path }
  }

  /// Returns the record of an export with this content, whatever its path.
  package func export(saying digest: FileDigest) -> Record? {
    records()?.last { $0.base != nil && $0.digest == digest }
  }

  /// Records a file as it is now, replacing an earlier record.
  ///
  /// The digest is computed if it is `nil`.
  ///
  /// - Throws: `FileError.cannotWrite` if the record can't be written to the home folder.
  package func record(
    _ path: String, _ digest: FileDigest? = nil, base: String? = nil, market: String? = nil,
    made: Timestamp? = nil
  ) throws(FileError) {
    guard let digest = digest ?? FileDigest(ofFile: WriteDestination(path).path) else { return }
    let record = Record(
      path: WrittenFiles.absolute(path), digest: digest, base: base, market: market, made: made)
    try Files.withExclusiveLock(at: home.writtenFilesIndex) { () throws(FileError) in
      // A file written by a newer program isn't changed; the user's file then counts as foreign.
      guard let records = records() else { return }
      let stored = pruned(records.filter { $0.path != record.path } + [record])
      let text = WrittenFiles.head + "\n" + stored.map { WrittenFiles.line($0) + "\n" }.joined()
      try Files.write(Data(text.utf8), to: home.writtenFilesIndex, mode: 0o600)
    }
  }

  /// Returns the path under which a file is recorded, independent of the working directory.
  package static func absolute(_ path: String) -> String {
    let path = WriteDestination(path).path
    let folder = Paths.parent(of: path)
    guard let real = realpath(folder.isEmpty ? "." : folder, nil) else { return path }
    defer { free(real) }
    let parent = String(cString: real)
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return parent == "/" ? "/" + name : parent + "/" + name
  }

  /// Returns the newest records, with the cells of exports limited in number and size, and deletes the cells of all
  /// others.
  private func pruned(_ records: [Record]) -> [Record] {
    var stored = Array(records.suffix(WrittenFiles.maximumCount))
    var (count, bytes) = (0, 0)
    for index in stored.indices.reversed() {
      guard let base = stored[index].base else { continue }
      count += 1
      bytes += WrittenFiles.size(home.exportsFolder + "/" + base)
      if count > WrittenFiles.maximumBaselineCount || bytes > WrittenFiles.maximumBaseBytes { stored[index].base = nil }
    }
    let named = Set(stored.compactMap(\.base))
    let files = (try? FileManager.default.contentsOfDirectory(atPath: home.exportsFolder)) ?? []
    for file in files where file.hasSuffix(".cells") && !named.contains(file) {
      unlink(home.exportsFolder + "/" + file)
    }
    return stored
  }

  private static func size(_ path: String) -> Int {
    var status = stat()
    return stat(path, &status) == 0 ? Int(status.st_size) : 0
  }

  /// Returns the records, or `nil` if a newer program wrote them.
  ///
  /// If they can't be read, all files count as foreign: that asks once too often and loses nothing.
  private func records() -> [Record]? {
    guard let text = (try? Files.text(home.writtenFilesIndex, limit: 4 << 20)) ?? nil else { return [] }
    let lines = text.split(separator: "\n")
    let head = lines.first.flatMap { try? JSON(parsing: Data($0.utf8)) }?.object
    if let version = (try? head?.int("version")) ?? nil, version > WrittenFiles.version { return nil }
    return lines.dropFirst().compactMap { WrittenFiles.record(String($0)) }
  }

  private static func line(_ record: Record) -> String {
    var members: [(String, JSON)] = [
      ("path", .string(record.path)), ("size", .int(record.digest.size)),
      ("sum", .string(String(record.digest.hash, radix: 16))),
    ]
    if let base = record.base { members.append(("base", .string(base))) }
    if let market = record.market { members.append(("market", .string(market))) }
    if let made = record.made { members.append(("made", .string(made.description))) }
    return JSON.object(members).serialized
  }

  private static func record(_ line: String) -> Record? {
    guard let object = (try? JSON(parsing: Data(line.utf8)))?.object, let path = (try? object.string("path")) ?? nil,
      let size = (try? object.int("size")) ?? nil,
      let sum = ((try? object.string("sum")) ?? nil).flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    let base = (try? object.string("base")) ?? nil
    return Record(
      path: path, digest: FileDigest(size: size, hash: sum),
      base: base.flatMap { $0.contains("/") ? nil : $0 }, market: (try? object.string("market")) ?? nil,
      made: ((try? object.string("made")) ?? nil).flatMap { Timestamp($0) })
  }
}
