import Catalog
import Foundation
import Platform
import ShellRuntime
import ShellTesting
import TestSupport
import Testing

@testable import Commands

/// Commands that end between the record of a file and the file: what the file is based on is known at every instant.
@Suite(.timeLimit(Trial.limit)) struct FileReplacementsTests {
  /// The instant at which the command ended, and what the user did to the file after that.
  enum Instant: CaseIterable {
    case recorded, recordedAndEdited, recordedAndCleaned, replaced, replacedAndEdited, torn
  }

  @Test(arguments: Instant.allCases) func baseIsThatOfTheFileWhichIsThere(_ instant: Instant) throws {
    let path = NSTemporaryDirectory() + "folder-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = ProductFolder(path, home: nil)
    try folder.create()
    func text(_ stock: Int) -> String { ProductFile(Product(id: 7, name: "Cup", stock: stock), pictures: nil).text }
    func entry(_ stock: Int) -> FolderBase.Entry { FolderBase.Entry(id: 7, file: "000007-cup.toml", text: text(stock)) }
    try folder.write(text(1), to: "000007-cup.toml", isDurable: false)
    try FolderBase.append([entry(1)], deleted: [], to: folder.baseFile)
    // What `FileReplacements.commit` does, up to the instant.
    let draft = try AtomicFileWriter(at: folder.product("000007-cup.toml"))
    try draft.append(text(2))
    try draft.finish()
    let name = try #require(draft.draftName)
    let pending = FolderBase.PendingFile(
      file: "000007-cup.toml", draft: name, before: FolderBase.digest(of: text(1)),
      after: FolderBase.digest(of: text(2)))
    var line = FolderBase.line(.entry(entry(2)), pending)
    if instant == .torn { line = String(line.prefix(line.count / 2)) }
    try FolderBase.append(line, to: folder.baseFile)
    let isReplaced = instant == .replaced || instant == .replacedAndEdited
    if isReplaced { try draft.commit(isDurable: false) }
    if instant == .recordedAndCleaned { draft.discard() }
    if instant == .recordedAndEdited || instant == .replacedAndEdited {
      try folder.write(text(9), to: "000007-cup.toml", isDurable: false)
    }
    let base = try FolderBase(at: folder.baseFile)
    #expect(try base.entry(7) == entry(isReplaced ? 2 : 1))
    var problems = FolderProblems("")
    let files = folder.files(base, &problems)
    try problems.throwIfAny()
    let isEdited = instant == .recordedAndEdited || instant == .replacedAndEdited
    #expect(files.map(\.id) == [7] && (files.first?.text != nil) == isEdited)
    draft.discard()
  }

  /// A file that can't be replaced: neither it nor those after it count as replaced, also after the user edits them.
  @Test(arguments: [false, true]) func fileThatIsNotReplacedHasItsFormerBase(isEdited: Bool) throws {
    let path = NSTemporaryDirectory() + "folder-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = ProductFolder(path, home: nil)
    try folder.create()
    let names: [FileName] = ["000006-cup.toml", "000007-cup.toml", "000008-cup.toml"]
    func text(_ index: Int, _ stock: Int) -> String {
      ProductFile(Product(id: 6 + index, name: "Cup", stock: stock), pictures: nil).text
    }
    func entry(_ index: Int, _ stock: Int) -> FolderBase.Entry {
      FolderBase.Entry(id: 6 + index, file: names[index], text: text(index, stock))
    }
    for index in names.indices { try folder.write(text(index, 1), to: names[index], isDurable: false) }
    try FolderBase.append(names.indices.map { entry($0, 1) }, deleted: [], to: folder.baseFile)
    var replacements = FileReplacements(folder)
    for index in names.indices {
      try replacements.add(text(index, 2), to: names[index], replacing: text(index, 1), as: .entry(entry(index, 2)))
    }
    // A folder in place of the second file can't be replaced by a file.
    folder.remove(names[1])
    try folder.product(names[1]).createFolder()
    let error = FileError.cannotWrite(path: folder.product(names[1]).shown, errno: EISDIR)
    #expect(throws: error) { try replacements.commit() }
    try FileManager.default.removeItem(atPath: folder.product(names[1]).path)
    for index in [1, 2] { try folder.write(text(index, isEdited ? 9 : 1), to: names[index], isDurable: false) }
    let base = try FolderBase(at: folder.baseFile)
    #expect(try names.indices.map { try base.entry(6 + $0) } == [entry(0, 2), entry(1, 1), entry(2, 1)])
  }

  /// Whether a file was replaced isn't known if its draft can't be looked for: here, its path is too long.
  @Test func draftThatCannotBeLookedForDecidesNothing() throws {
    let path = NSTemporaryDirectory() + "folder-" + UUID().uuidString
    defer { try? FileManager.default.removeItem(atPath: path) }
    var deep = path
    while deep.utf8.count < Int(PATH_MAX) - 220 { deep += "/" + String(repeating: "d", count: 200) }
    deep += "/" + String(repeating: "d", count: Int(PATH_MAX) - 5 - deep.utf8.count)
    try FileManager.default.createDirectory(atPath: deep, withIntermediateDirectories: true)
    let products = ConfinedPath(folder: deep)
    defer { products.appending("1.toml").remove() }
    try products.appending("1.toml").write(Data("edited".utf8))
    let pending = FolderBase.PendingFile(file: "1.toml", draft: ".1.1.new", before: "a", after: "b")
    #expect(throws: FileError.cannotRead(path: deep + "/.1.1.new", errno: ENAMETOOLONG)) {
      try pending.isReplaced(in: products)
    }
  }

  /// A pull deletes the drafts that ended commands left, and no other hidden file.
  @Test func pullDeletesDrafts() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop 138")
      for name in [".1.1.new", ".notes.new"] { try sandbox.writeFile("shop/products/" + name, "") }
      _ = await sandbox.run("status ~/shop")
      let products = sandbox.folder + "/shop/products"
      #expect(FileManager.default.fileExists(atPath: products + "/.1.1.new"))
      let said = await sandbox.run("pull ~/shop")
      #expect(!FileManager.default.fileExists(atPath: products + "/.1.1.new"), "\(said)")
      #expect(FileManager.default.fileExists(atPath: products + "/.notes.new"))
    }
  }

  /// A pull that ends before it writes the whole base leaves the records of its files.
  @Test func interruptedPullLeavesNoEdits() async throws {
    try await Sandbox.with { sandbox in
      _ = await sandbox.run("pull ~/shop 138,132")
      let base = sandbox.folder + "/shop/.openmarket/base.jsonl"
      let before = try Data(contentsOf: URL(filePath: base))
      _ = await sandbox.run("patch 138,132 stock=7 yes")
      _ = await sandbox.run("pull ~/shop")
      // As if the pull had ended before its last step: the records of the replaced files were appended to the base.
      let lines = try String(contentsOfFile: base, encoding: .utf8).split(separator: "\n").dropFirst()
      var old = before
      for line in lines {
        let file = try #require(line.firstMatch(of: /"file":"([^"]+)"/)).output.1
        let text = try String(contentsOfFile: sandbox.folder + "/shop/products/" + file, encoding: .utf8)
        let mark = "\"draft\":\".1.1.new\",\"after\":\"\(FolderBase.digest(of: text))\"}\n"
        old += Data((line.dropLast() + "," + mark).utf8)
      }
      try old.write(to: URL(filePath: base))
      _ = await sandbox.run("patch 138,132 stock=25 yes")
      let status = await sandbox.run("status ~/shop")
      #expect(status.contains("0 changed in the folder, 2 on the server, 0 on both sides"), "\(status)")
      #expect(await sandbox.run("push ~/shop yes").contains("Nothing to push"))
      #expect(await sandbox.run("show 138 stock as tsv") == "stock\n25\n")
    }
  }
}
