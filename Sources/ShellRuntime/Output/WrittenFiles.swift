import Catalog
import Foundation
import Networking
import Platform
import Presentation
import Text

/// The files that this program wrote for the user, as they were then.
///
/// The newest five hundred are recorded in the home folder for later sessions.
package struct WrittenFiles: Sendable {
  /// A file as it was left.
  package struct Record: Hashable, Sendable {
    package var path: String
    package var digest: FileDigest
    /// The export, if the file is one whose cells are stored.
    package var export: Export?
    /// The name of the file until it is in its place, for a record that was written before; it counts once it is.
    package var draft: String?
    /// The digest of the file that it replaces, if there was one.
    package var before: FileDigest?
  }

  /// An export, by which a copy of the file is recognized.
  package struct Export: Hashable, Sendable {
    /// The file in the home folder with the cells.
    package var base: String
    package var market: MarketIdentity
    package var made: Timestamp?
    /// The columns, which are all in files of versions before 0.3.
    package var columns: [ProductField]
    /// The ids of the products, or `nil` in files of versions before 0.3.
    package var products: ProductIDDigest?

    package init(
      base: String, market: MarketIdentity, made: Timestamp?, columns: [ProductField] = ProductField.allCases,
      products: ProductIDDigest? = nil
    ) {
      self.base = base
      self.market = market
      self.made = made
      self.columns = columns
      self.products = products
    }
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
  /// The maximum number of exports to one path whose cells are stored.
  private static let maximumBaselinesOfPath = 4
  private static let maximumBaseBytes = 256 << 20

  private let home: AppDirectories

  package init(_ home: AppDirectories) { self.home = home }

  /// Returns the status of the file at `path`.
  package func standing(of path: String) -> Standing {
    let destination = WriteDestination(path)
    var status = stat()
    guard !destination.isSpecialFile, stat(destination.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      status.st_size > 0
    else { return .nothingToLose }
    guard let record = record(of: path) else { return .unknownOrigin }
    guard status.st_size == record.digest.size else { return .modified }
    return FileDigest(ofFile: destination.path) == record.digest ? .unmodified : .modified
  }

  package func record(of path: String) -> Record? {
    let path = WrittenFiles.absolute(path)
    return records()?.last { $0.path == path }
  }

  /// Returns the exports of a market, newest first, whatever their paths.
  package func exports(of market: MarketIdentity) -> [Record] {
    exports.filter { $0.export.map { market.isSame(as: $0.market) } ?? false }
  }

  /// All exports, newest first.
  package var exports: [Record] { (records() ?? []).reversed().filter { $0.export != nil } }

  /// Records a file as it is now, replacing an earlier record.
  ///
  /// Earlier exports to the same path stay recorded, because copies of them may still be imported. The digest is computed if it is `nil`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - digest: Its digest.
  ///   - export: The export, if its cells are stored.
  ///   - draft: The name of the file, if it isn't in its place yet; see `AtomicFileWriter.draftName`.
  /// - Throws: `FileError.cannotWrite` if the record can't be written to the home folder.
  package func record(
    _ path: String, _ digest: FileDigest? = nil, export: Export? = nil, draft: String? = nil
  ) throws(FileError) {
    let file = WriteDestination(path).path
    guard let digest = digest ?? FileDigest(ofFile: file) else { return }
    var record = Record(path: WrittenFiles.absolute(path), digest: digest, export: export)
    if let draft { (record.draft, record.before) = (draft, FileDigest(ofFile: file)) }
    try Files.withExclusiveLock(at: home.writtenFilesIndex) { () throws(FileError) in
      // A file written by a newer program isn't changed; the user's file then counts as foreign.
      guard let records = records() else { return }
      // The one before counts until the new file is in its place, and is replaced by the confirmation.
      let others = records.filter {
        $0.path != record.path || draft != nil || $0.export != nil && $0.export?.base != export?.base
      }
      let stored = pruned(others + [record])
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
    var ofPath: [String: Int] = [:]
    for index in stored.indices.reversed() {
      guard let base = stored[index].export?.base else { continue }
      count += 1
      ofPath[stored[index].path, default: 0] += 1
      bytes += WrittenFiles.size(home.exportsFolder + "/" + base)
      if count > WrittenFiles.maximumBaselineCount || bytes > WrittenFiles.maximumBaseBytes
        || ofPath[stored[index].path, default: 0] > WrittenFiles.maximumBaselinesOfPath
      {
        stored[index].export = nil
      }
    }
    // Of a path, only the newest record without cells says anything.
    var newest: Set<String> = []
    stored = stored.reversed().filter {
      $0.draft != nil || newest.insert($0.path).inserted || $0.export != nil
    }.reversed()
    let named = Set(stored.compactMap(\.export?.base))
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
    return lines.dropFirst().compactMap { WrittenFiles.record(String($0)) }.filter(isInPlace)
  }

  /// Returns whether a file is in its place.
  ///
  /// A program that was killed may have recorded it without that. If the file is neither the one before nor the new one,
  /// because the user has edited it since, the draft decides, which exists until it replaces the file.
  private func isInPlace(_ record: Record) -> Bool {
    guard let draft = record.draft else { return true }
    let now = FileDigest(ofFile: record.path)
    if now == record.digest { return true }
    if now == record.before { return false }
    return access(Paths.parent(of: record.path) + "/" + draft, F_OK) != 0
  }

  private static func line(_ record: Record) -> String {
    var members: [(String, JSON)] = [
      ("path", .string(record.path)), ("size", .int(record.digest.size)),
      ("sum", .string(String(record.digest.hash, radix: 16))),
    ]
    if let draft = record.draft { members.append(("draft", .string(draft))) }
    if let before = record.before {
      members += [("old_size", .int(before.size)), ("old_sum", .string(String(before.hash, radix: 16)))]
    }
    if let export = record.export {
      members += [("base", .string(export.base)), ("market", .string(export.market.address))]
      if let generation = export.market.generation {
        members.append(("generation", .string(generation.description)))
      }
      if let made = export.made { members.append(("made", .string(made.description))) }
      if export.columns != ProductField.allCases {
        members.append(("columns", .array(export.columns.map { .string($0.rawValue) })))
      }
      if let products = export.products { members.append(("products", .string(products.description))) }
    }
    return JSON.object(members).serialized
  }

  private static func record(_ line: String) -> Record? {
    guard let object = (try? JSON(parsing: Data(line.utf8)))?.object, let path = (try? object.string("path")) ?? nil,
      let size = (try? object.int("size")) ?? nil,
      let sum = ((try? object.string("sum")) ?? nil).flatMap({ UInt64($0, radix: 16) })
    else { return nil }
    var record = Record(path: path, digest: FileDigest(size: size, hash: sum), export: export(object))
    record.draft = ((try? object.string("draft")) ?? nil).flatMap { AtomicFileWriter.isDraftName($0) ? $0 : nil }
    if let size = (try? object.int("old_size")) ?? nil,
      let sum = ((try? object.string("old_sum")) ?? nil).flatMap({ UInt64($0, radix: 16) })
    {
      record.before = FileDigest(size: size, hash: sum)
    }
    return record
  }

  private static func export(_ object: JSONObject) -> Export? {
    guard let base = (try? object.string("base")) ?? nil, !base.contains("/"),
      let market = (try? object.string("market")) ?? nil
    else { return nil }
    let columns = object["columns"]?.array?.compactMap { column -> ProductField? in
      if case .string(let name) = column { ProductField(rawValue: name) } else { nil }
    }
    let generation = ((try? object.string("generation")) ?? nil).flatMap { MarketGeneration($0) }
    return Export(
      base: base, market: MarketIdentity(address: market, generation: generation),
      made: ((try? object.string("made")) ?? nil).flatMap { Timestamp($0) },
      columns: columns ?? ProductField.allCases,
      products: ((try? object.string("products")) ?? nil).flatMap { ProductIDDigest($0) })
  }
}

/// A digest of a set of product ids that doesn't depend on their order.
package struct ProductIDDigest: Hashable, Sendable, LosslessStringConvertible {
  private var count = 0
  private var sum: UInt64 = 0

  package init() {}

  package init(_ ids: some Sequence<Product.ID>) { for id in ids { insert(id) } }

  /// Reads the text of a digest: the number of ids and 16 digits.
  package init?(_ text: String) {
    let parts = text.split(separator: "-")
    guard parts.count == 2, let count = Int(parts[0]), let sum = UInt64(parts[1], radix: 16) else { return nil }
    (self.count, self.sum) = (count, sum)
  }

  package var description: String { "\(count)-\(String(sum, radix: 16))" }

  /// Adds an id, which isn't in the set.
  package mutating func insert(_ id: Product.ID) {
    count += 1
    // The finalizer of SplitMix64, which spreads neighbouring numbers.
    var value = UInt64(bitPattern: Int64(id)) &+ 0x9E37_79B9_7F4A_7C15
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    sum &+= value ^ (value >> 31)
  }
}

/// An output file named by the user.
///
/// An existing file is overwritten without confirmation only if this program wrote it and it hasn't changed since.
package struct ProtectedOutputFile {
  package let path: String
  private let named: String
  private let context: CommandContext

  package init(_ named: String, _ context: CommandContext) {
    self.named = named
    self.context = context
    path = Paths.expanded(named, home: context.program.environment["HOME"])
  }

  /// Asks before overwriting.
  ///
  /// It is called before any request is sent, so that a write never succeeds without a place for its result.
  /// `replacing` indicates the clause `replace`.
  ///
  /// - Throws: `CommandError` if the file must not be overwritten.
  package func confirmOverwrite(replacing: Bool, _ session: Session) async throws {
    try checkName()
    if replacing { return }
    let reason: LocalizedText
    switch WrittenFiles(context.stores.home).standing(of: path) {
    case .nothingToLose, .unmodified: return
    case .modified:
      reason = LocalizedText(
        "\(.value(named)) was changed outside openmarket since openmarket wrote it.",
        ko: "\(.value(named)) 파일은 openmarket이 저장한 뒤에 바뀌었습니다.")
    case .unknownOrigin:
      reason = LocalizedText(
        "\(.value(named)) already exists and was not written by openmarket.",
        ko: "\(.value(named)) 파일이 이미 있으며, openmarket이 저장한 파일이 아닙니다.")
    }
    try await CommandScope(session, context).confirm(
      LocalizedText("Overwrite? [y/N] ", ko: "덮어쓸까요? [y/N] "), after: Message(.warning, reason),
      unattended: Message(.failure, reason).coded(.fileExists).because(
        "Nothing was saved or sent.", ko: "아무것도 저장하거나 보내지 않았습니다."
      )
      .next(
        "Add \(.command("replace")) to the command to overwrite it.", ko: "명령에 \(.command("replace"))를 붙이면 덮어씁니다."),
      declined: .note("Canceled. Nothing was saved or sent.", ko: "그대로 두었습니다. 아무것도 저장하거나 보내지 않았습니다."))
  }

  /// Refuses to replace a link, or a file of another kind than the one that would be written, without asking.
  ///
  /// - Parameter head: The beginning of every file of the kind.
  /// - Throws: `CommandError` with exit status 4, also for a name that contains a secret.
  package func checkReplaceable(by head: String) throws {
    try checkName()
    let kind = FileKind(path)
    switch WrittenFiles(context.stores.home).standing(of: path) {
    case .nothingToLose where kind != .link, .unmodified: return
    case .nothingToLose, .modified, .unknownOrigin: break
    }
    if kind == .file, let bytes = (try? Files.read(path)) ?? nil, bytes.starts(with: head.utf8) { return }
    throw CommandError(
      .blocked,
      Message(
        .failure,
        kind == .link
          ? LocalizedText("\(.value(named)) is a link.", ko: "\(.value(named)) 파일은 링크입니다.")
          : LocalizedText(
            "\(.value(named)) already exists and is another kind of file.",
            ko: "\(.value(named)) 파일이 이미 있으며, 다른 종류의 파일입니다.")
      ).because("Nothing was saved or sent.", ko: "아무것도 저장하거나 보내지 않았습니다.")
        .next("Move it away, then try again.", ko: "그 파일을 옮긴 뒤 다시 시도하세요."), code: .fileExists)
  }

  /// Refuses a name that contains a secret, because everyone who can list the folder would see it.
  ///
  /// - Throws: `CommandError` for such a name.
  package func checkName() throws {
    guard context.stores.holdsSecret(name: named) else { return }
    throw CommandError(
      .usageError,
      .failure("A file name must not contain a secret.", ko: "파일 이름에는 시크릿을 쓸 수 없습니다.")
        .because("Nothing was saved. Nothing was sent.", ko: "저장하지 않았습니다. 아무것도 보내지 않았습니다."))
  }

  /// Writes the file atomically and records that this program wrote it.
  ///
  /// An HTTP archive is readable only by the user, because it contains complete requests and responses.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - isPrivate: Whether only the user may read the file, whatever it is.
  /// - Throws: `FileError.cannotWrite`; `CommandError` for a name that contains a secret.
  package func write(_ data: Data, isPrivate: Bool = false) throws {
    try checkName()
    try Files.write(data, to: path, mode: isPrivate || path.lowercased().hasSuffix(".har") ? 0o600 : nil)
    remember()
  }

  var written: Message { .success("Saved to \(.value(path)).", ko: "\(.value(path))에 저장했습니다.") }

  /// Records the file as written by openmarket, so that it may be overwritten without a question.
  ///
  /// An error is ignored: the next write then asks.
  package func remember(_ digest: FileDigest? = nil) {
    try? WrittenFiles(context.stores.home).record(path, digest)
  }
}
