import Catalog
import Foundation
import MarketOperations
import Networking
import Platform
import Presentation
import ShellRuntime
import Text

/// The products of a folder as they were last pulled or pushed: the base of the three-way merge.
///
/// It is a file of JSON lines, in which a later line of a product replaces an earlier one. A pull writes a new one, a push
/// appends to it. Before a file is replaced, both append a line that counts once it is; see `FileReplacements`.
package struct FolderBase: Sendable {
  /// A product as it was pulled or pushed.
  package struct Entry: Hashable, Sendable {
    package var id: Product.ID
    package var file: FileName
    /// The text of a file with the values that the folder and the market agreed on.
    package var text: String
    /// The addresses of the market's pictures without the server, or none if they weren't read.
    package var addresses: [String] = []
    /// The digests of the pictures in the text, in its order.
    package var digests: [String] = []
    package var vendor: Int?
    /// The product as it was then, or `nil` in a file of an earlier version.
    package var reference: ProductReference?
    /// The digest of the user's own text of the file, if it has these values but is written in another way.
    package var ownText: String?

    /// Creates the entry of a product with the values on which both sides agree.
    ///
    /// - Parameters:
    ///   - id: The product.
    ///   - file: The name of its file.
    ///   - values: The values, with the digests of the pictures.
    ///   - product: The product in the market, or `nil` if it isn't known.
    ///   - pictures: The pictures that were read or sent; the entry gets them if the values contain them.
    ///   - old: The previous entry, whose pictures stay otherwise, or `nil` for a new product.
    init(
      id: Product.ID, file: FileName, values: Reconciliation.Values, of product: Product?,
      pictures: FolderPictures.Known?, after old: Entry?
    ) {
      var values = values
      self.init(
        id: id, file: file, text: "", addresses: old?.addresses ?? [], digests: old?.digests ?? [],
        vendor: product?.vendorID ?? old?.vendor)
      reference = product.map { ProductReference(recording: $0) } ?? old?.reference
      if let pictures, values[.images] == .references(pictures.digests) {
        (addresses, digests) = (pictures.addresses, pictures.digests)
        values[.images] = .references(pictures.paths)
      } else if values[.images] != nil {
        values[.images] = old.flatMap { try? ProductFile(parsing: $0.text) }?.values[.images]
      }
      text = ProductFile(id: id, values: values).text
    }

    package init(
      id: Product.ID, file: FileName, text: String, addresses: [String] = [], digests: [String] = [], vendor: Int? = nil
    ) {
      self.id = id
      self.file = file
      self.text = text
      self.addresses = addresses
      self.digests = digests
      self.vendor = vendor
    }

    /// Reads the line of an entry, or returns `nil` for another one.
    ///
    /// The file may come from others, so its `file` must be the name of a product's file.
    fileprivate init?(_ object: JSONObject) {
      guard let id = (try? object.int("id")) ?? nil,
        let file = ((try? object.string("file")) ?? nil).flatMap({ FileName(stated: $0) }), ProductFile.isName(file),
        let text = (try? object.string("text")) ?? nil
      else { return nil }
      self.init(
        id: id, file: file, text: text, addresses: Entry.texts(object, "addresses"),
        digests: Entry.texts(object, "digests"), vendor: (try? object.int("vendor_id")) ?? nil)
      ownText = (try? object.string("own_text")) ?? nil
      reference = ProductReference(id, object["product"])
    }

    private static func texts(_ object: JSONObject, _ key: String) -> [String] {
      (object[key]?.array ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// Returns whether a text is that of the file when the folder and the market agreed last.
    package func isAgreed(_ text: String) -> Bool { text == self.text || ownText == FolderBase.digest(of: text) }

    /// Records the text of the file, whose values are those of the entry.
    package mutating func agree(on text: String) { ownText = text == self.text ? nil : FolderBase.digest(of: text) }

    /// The values in the text, with the digests of the pictures in place of their paths.
    package var values: Reconciliation.Values {
      var values = (try? ProductFile(parsing: text))?.values ?? [:]
      if values[.images] != nil { values[.images] = .references(digests) }
      return values
    }
  }

  /// Returns the digest by which the text of a file is recognized.
  static func digest(of text: String) -> String { String(SHA256.hex(Data(text.utf8)).prefix(32)) }

  private static let version = 1
  private static let head =
    JSON.object([("openmarket", .string("folder")), ("version", .int(version))]).serialized + "\n"
  /// The maximum length of the first line in bytes.
  private static let maximumHead = 1_024
  /// The maximum size of the file in bytes.
  private static let maximumBytes = 1 << 30

  /// Returns whether a file that begins so is a base: by the JSON of its first line, which a formatter may have spaced.
  private static func isHead(_ bytes: Data) -> Bool {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
      let object = (try? JSON(parsing: Data(bytes[..<end])))?.object
    else { return false }
    return object["openmarket"] == .string("folder") && object["version"] == .int(version)
  }

  /// The open file, from which the entries are read one by one: those of 100,000 products would take 120 MB.
  private var lines: LineFile?
  private var extents: [Product.ID: LineFile.Extent] = [:]
  /// The names of the files, by product.
  package private(set) var names: [Product.ID: FileName] = [:]
  /// The products that were deleted by a push of this folder.
  package private(set) var deleted: Set<Product.ID> = []
  /// The edits that a push was about to send and whose outcomes it didn't record, by product.
  private var begun: [Product.ID: BegunEdit] = [:]
  /// The edits of such a push that were made according to the log, by product.
  private var made: [Product.ID: BegunEdit] = [:]

  package init() {}

  /// Opens the file, or returns an empty base if there is none.
  ///
  /// - Throws: `FileError`; `.malformed` if it isn't such a file, `.syntax` for a line that is no entry.
  package init(at file: ConfinedPath) throws(FileError) {
    guard let lines = try LineFile(file, limit: FolderBase.maximumBytes) else { return }
    self.lines = lines
    guard FolderBase.isHead(try lines.bytes(LineFile.Extent(offset: 0, count: FolderBase.maximumHead))) else {
      throw .malformed(path: file.path, reason: FileError.otherProgram)
    }
    let products = file.parent.parent.appending("products")
    var (number, damaged) = (0, 0)
    var unreadable: FileError?
    try lines.forEachLine { line, extent in
      number += 1
      // A push that was killed may have left a part of its last line, which is no JSON.
      guard damaged == 0, number > 1, let json = try? JSON(parsing: line) else { return }
      guard let object = json.object, let id = (try? object.int("id")) ?? nil else { return damaged = number }
      if let push = object["push"] {
        guard let edit = BegunEdit(id, push) else { return damaged = number }
        return begun[id] = edit
      }
      if object["draft"] != nil {
        guard let pending = PendingFile(object) else { return damaged = number }
        do throws(FileError) {
          guard try pending.isReplaced(in: products) else { return }
        } catch {
          // A file that can't be read is reported with the files of the folder.
          if case .cannotRead = error { unreadable = unreadable ?? error }
          return
        }
      }
      begun[id] = nil
      if object["dropped"] != nil {
        (extents[id], names[id]) = (nil, nil)
      } else if object["deleted"] != nil {
        (extents[id], names[id]) = (nil, nil)
        deleted.insert(id)
      } else if let entry = Entry(object) {
        deleted.remove(id)
        (extents[id], names[id]) = (extent, entry.file)
      } else {
        damaged = number
      }
    }
    if let unreadable { throw unreadable }
    guard damaged == 0 else { throw .syntax(path: file.path, line: damaged, reason: FolderBase.damaged) }
  }

  private static let damaged = LocalizedText(
    "it is not the record of a product; a product has an id, a text, and a file whose name ends in .toml and is no path",
    ko: "상품의 기록이 아닙니다. 상품에는 id와 text, 그리고 경로가 아니라 .toml로 끝나는 이름인 file이 있습니다")

  package var isEmpty: Bool { extents.isEmpty }

  /// Returns a product as it was pulled or pushed, or `nil` if it wasn't.
  ///
  /// - Throws: `FileError`.
  package func entry(_ id: Product.ID) throws(FileError) -> Entry? {
    guard let lines, let extent = extents[id] else { return nil }
    let line = try lines.bytes(extent)
    let entry = (try? JSON(parsing: line))?.object.flatMap { Entry($0) }
    guard let edit = made[id] else { return entry }
    return entry?.taking(edit.values)
  }

  /// Takes over the values of edits that were made without a record of their outcomes, for example by `resume`.
  ///
  /// - Parameter isMade: Returns whether an edit was made.
  mutating func settle(_ isMade: (BegunEdit) throws -> Bool) rethrows {
    for (id, edit) in begun where try isMade(edit) { (made[id], begun[id]) = (edit, nil) }
  }

  /// The edits whose outcomes aren't known, in the order of their products.
  var open: [BegunEdit] { begun.keys.sorted().compactMap { begun[$0] } }

  private static func line(_ entry: Entry) -> String { JSON.object(members(entry)).serialized + "\n" }

  static func members(_ entry: Entry) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("id", .int(entry.id)), ("file", .string(entry.file.description)), ("text", .string(entry.text)),
    ]
    if !entry.addresses.isEmpty { members.append(("addresses", .array(entry.addresses.map { .string($0) }))) }
    if !entry.digests.isEmpty { members.append(("digests", .array(entry.digests.map { .string($0) }))) }
    if let digest = entry.ownText { members.append(("own_text", .string(digest))) }
    if let vendor = entry.vendor { members.append(("vendor_id", .int(vendor))) }
    if let product = entry.reference?.json() { members.append(("product", product)) }
    return members
  }

  private static func line(deleted id: Product.ID) -> String {
    JSON.object([("id", .int(id)), ("deleted", .bool(true))]).serialized + "\n"
  }

  /// Writes a new base, one product after another.
  package struct Writer {
    private let draft: AtomicFileWriter

    /// - Throws: `FileError`: `.cannotWrite`, `.link`.
    package init(at file: ConfinedPath, deleted: Set<Product.ID>) throws(FileError) {
      draft = try AtomicFileWriter(at: file)
      try draft.append(FolderBase.head)
      for id in deleted.sorted() { try draft.append(FolderBase.line(deleted: id)) }
    }

    /// - Throws: `FileError.cannotWrite`.
    package func append(_ entry: Entry) throws(FileError) { try draft.append(FolderBase.line(entry)) }

    /// - Throws: `FileError.cannotWrite`.
    func append(_ edit: BegunEdit) throws(FileError) { try draft.append(edit.line) }

    /// - Throws: `FileError.cannotWrite`; the previous base is unchanged then.
    package func commit() throws(FileError) { try draft.commit() }
  }

  /// Adds the products that a push changed, and those that it deleted, to the file.
  ///
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  package static func append(_ entries: [Entry], deleted: [Product.ID], to file: ConfinedPath) throws(FileError) {
    guard !entries.isEmpty || !deleted.isEmpty else { return }
    try append(entries.map(line).joined() + deleted.map { line(deleted: $0) }.joined(), to: file)
  }

  /// Adds lines to the file, also on the disk.
  ///
  /// - Throws: `FileError`: `.cannotWrite`, `.link`.
  static func append(_ lines: String, to file: ConfinedPath) throws(FileError) {
    if file.kind == .missing { try Writer(at: file, deleted: []).commit() }
    // The line break ends a line that a killed command left unfinished.
    try file.append("\n" + lines)
  }
}

/// The errors found in the files of a folder, each with its file and line.
///
/// One error is enough to send nothing.
package struct FolderProblems {
  private var found: [(file: String, line: Int, reason: LocalizedText)] = []
  private let folder: String

  package init(_ folder: String) { self.folder = folder }

  /// Adds an error.
  ///
  /// The line is 0 for the file or folder itself.
  package mutating func add(_ file: String, line: Int, reason: LocalizedText) { found.append((file, line, reason)) }

  package mutating func add(_ file: String, _ fault: ProductFile.Fault) {
    add(file, line: fault.line, reason: fault.reason)
  }

  package mutating func add(_ file: String, line: Int, error: any Error) {
    let message = CommandError(describing: error).message
    add(file, line: line, reason: message.what)
    for reason in message.reasons { add(file, line: line, reason: reason) }
  }

  /// Throws an error that lists the problems, if there are any.
  ///
  /// - Throws: `CommandError` with exit status 2.
  package func throwIfAny() throws(CommandError) {
    guard !found.isEmpty else { return }
    let count = Set(found.map(\.file)).count
    let message = Message.failure(
      "\(count == 1 ? StyledText("One file") : "\(count) files") in \(.value(folder)) cannot be used. Nothing was sent or changed.",
      ko: "\(.value(folder))에 사용할 수 없는 파일이 \(count)개 있습니다. 아무것도 보내거나 바꾸지 않았습니다.")
    throw CommandError(
      .usageError,
      message.because(first: 20, of: found) { problem in
        problem.line == 0
          ? LocalizedText(
            "\(.value(problem.file)): \(problem.reason[.english])",
            ko: "\(.value(problem.file)): \(problem.reason[.korean])")
          : LocalizedText(
            "\(.value(problem.file)), line \(problem.line): \(problem.reason[.english])",
            ko: "\(.value(problem.file)) \(problem.line)번째 줄: \(problem.reason[.korean])")
      })
  }
}
