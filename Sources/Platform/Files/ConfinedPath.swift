import Foundation
import Glibc
import Text

/// The name of a file in a folder, as a file states it: one component of a path.
///
/// It isn't empty and has at most 255 bytes, none of which is a slash or NUL. It doesn't begin with a dot: `..` would leave
/// the folder, and hidden files belong to other programs, such as Git.
package struct FileName: Hashable, Sendable, CustomStringConvertible {
  /// The maximum number of bytes of a name (`NAME_MAX` of limits.h).
  private static let maximumBytes = 255

  package let description: String

  /// Creates the name that a text states, or returns `nil` for any text that isn't one.
  package init?(stated text: String) {
    // Bytes are compared: a slash with a combining mark is another character than a slash.
    guard (1...FileName.maximumBytes).contains(text.utf8.count), text.utf8.first != UInt8(ascii: "."),
      !text.utf8.contains(UInt8(ascii: "/")), !text.utf8.contains(0)
    else { return nil }
    description = text
  }

  /// Creates the name of a draft, or returns `nil` for any other name; see `AtomicFileWriter`.
  fileprivate init?(draft name: String) {
    guard AtomicFileWriter.isDraftName(name) else { return nil }
    description = name
  }

  /// Creates the name of a number with an ending.
  package init(_ number: Int, ending: StaticString) { description = "\(number)\(ending)" }
}

extension FileName: ExpressibleByStringLiteral {
  /// Creates a name that is written in the program's source; it may begin with a dot.
  package init(stringLiteral name: StaticString) { description = "\(name)" }
}

/// A path below a folder, which it leaves neither by its names nor through a link.
///
/// It is the only way to reach a file that another file names. The folder itself is one that the user named or that belongs
/// to the program, so links in its path are followed. Below it, each component is opened relative to the one before it,
/// with `O_NOFOLLOW` (openat(2)): what is checked is what is opened.
package struct ConfinedPath: Hashable, Sendable {
  /// The path of the folder.
  private let folder: String
  private let names: [FileName]
  /// The path as a file states it, or `nil` for names that the program chose.
  package let stated: String?

  private init(_ folder: String, _ names: [FileName], stated: String? = nil) {
    self.folder = folder
    self.names = names
    self.stated = stated
  }

  /// Creates the path of a folder that the user or the program named.
  package init(folder: String) { self.init(folder, []) }

  /// Creates the path of the folder that contains a file, after the links in the path of the file were followed.
  package init(folderOf file: String) {
    let real = realpath(file, nil)
    defer { free(real) }
    self.init(folder: Paths.parent(of: real.map { String(cString: $0) } ?? file))
  }

  /// Creates the path that a file in the folder `parent` states.
  ///
  /// Components `.` are skipped, because programs write them in front of names.
  ///
  /// - Throws: `FileError.outside` for an absolute path, a path from the home folder, and names that aren't a `FileName`.
  package init(stated text: String, below parent: ConfinedPath) throws(FileError) {
    var names = parent.names
    for part in text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      if part.elementsEqual(".".utf8) { continue }
      guard let name = FileName(stated: String(Substring(part))) else { throw .outside(path: text) }
      names.append(name)
    }
    guard names.count > parent.names.count, text.utf8.first != UInt8(ascii: "~") else { throw .outside(path: text) }
    self.init(parent.folder, names, stated: text)
  }

  /// Returns the path of a file in this folder.
  package func appending(_ name: FileName) -> ConfinedPath { ConfinedPath(folder, names + [name]) }

  /// The folder that contains the file, or the folder itself for one without names below it.
  package var parent: ConfinedPath { ConfinedPath(folder, Array(names.dropLast())) }

  /// The path for messages, and for programs that are started with it.
  package var path: String {
    let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    return names.isEmpty ? folder : prefix + names.map(\.description).joined(separator: "/")
  }

  /// The path for messages: as the other file states it, or the absolute path.
  package var shown: String { stated ?? path }
}

// MARK: Descriptors
extension ConfinedPath {
  /// Calls a closure with the descriptor of the folder that contains the file, and the name of the file in it.
  ///
  /// - Throws: `FileError.link` if a component is a link, `.cannotRead`, and the errors of the closure.
  func withParent<Value>(_ body: (_ folder: Int32, _ name: String) throws(FileError) -> Value) throws(FileError)
    -> Value
  {
    var directory = Glibc.open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw .cannotRead(path: shown, errno: errno) }
    defer { close(directory) }
    for name in names.dropLast() {
      let found = found(name, in: directory)
      let next = openat(directory, found, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard next >= 0 else {
        let code = errno
        throw FileKind(found, in: directory) == .link ? .link(path: shown) : .cannotRead(path: shown, errno: code)
      }
      close(directory)
      directory = next
    }
    return try body(directory, names.last.map { found($0, in: directory) } ?? ".")
  }

  /// Returns the name in a folder that is canonically equivalent to a stated one, if none has its bytes.
  private func found(_ name: FileName, in directory: Int32) -> String {
    let name = name.description
    guard stated != nil, name.utf8.contains(where: { $0 >= 0x80 }), FileKind(name, in: directory) == .missing,
      // Swift compares strings by canonical equivalence.
      let equivalent = (try? ConfinedPath.names(in: directory, path: path))?.first(where: { $0 == name })
    else { return name }
    return equivalent
  }

  private static func names(in directory: Int32, path: String) throws(FileError) -> [String] {
    // Another open file description, because reading the names moves its offset.
    let copy = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0 else { throw .cannotRead(path: path, errno: errno) }
    return try Files.names(inDescriptor: copy, path: path)
  }

  /// Opens a regular file for reading and returns its descriptor and status, or `nil` if it doesn't exist.
  ///
  /// The caller closes the descriptor.
  ///
  /// - Throws: `FileError`: `.link` for a link, `.notAFile` for anything else that isn't a regular file, `.cannotRead`.
  package func openRegularFile() throws(FileError) -> (descriptor: Int32, status: stat)? {
    do throws(FileError) {
      return try withParent { (directory, name) throws(FileError) -> (descriptor: Int32, status: stat)? in
        // Checked before opening: opening alone wakes the writer of a FIFO.
        switch FileKind(name, in: directory) {
        case .missing: return nil
        case .link: throw .link(path: shown)
        case .folder, .other: throw .notAFile(path: shown)
        case .file: break
        }
        let file = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw errno == ELOOP ? .link(path: shown) : .cannotRead(path: shown, errno: errno) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
          close(file)
          throw .notAFile(path: shown)
        }
        return (file, status)
      }
    } catch {
      switch error {
      case .cannotRead(_, ENOENT), .cannotRead(_, ENOTDIR): return nil
      default: throw error
      }
    }
  }
}

// MARK: Reading
extension ConfinedPath {
  /// The kind of file, without following a link; the target of a link counts as a link.
  package var kind: FileKind {
    do throws(FileError) {
      return try withParent { (directory, name) throws(FileError) in FileKind(name, in: directory) }
    } catch {
      if case .link = error { return .link }
      return .missing
    }
  }

  /// Returns the contents of the file, which nothing may write to in the meantime, or `nil` if it doesn't exist.
  ///
  /// - Throws: `FileError`: as ``openRegularFile()``, and `.tooLarge`, `.modifiedWhileReading`.
  package func read(limit: Int = 16 << 20) throws(FileError) -> Data? {
    guard let (file, status) = try openRegularFile() else { return nil }
    defer { close(file) }
    let bytes = try Files.contents(of: file, size: Int(status.st_size), path: shown, limit: limit)
    var after = stat()
    guard fstat(file, &after) == 0, after.st_size == status.st_size, Int(after.st_size) == bytes.count,
      after.st_mtim.tv_sec == status.st_mtim.tv_sec, after.st_mtim.tv_nsec == status.st_mtim.tv_nsec
    else { throw .modifiedWhileReading(path: shown) }
    return bytes
  }

  /// Returns the contents of a file that must exist.
  ///
  /// - Throws: The errors of `read`, and `.cannotRead` if it doesn't exist.
  package func contents(limit: Int) throws(FileError) -> Data {
    guard let bytes = try read(limit: limit) else { throw .cannotRead(path: shown, errno: ENOENT) }
    return bytes
  }

  /// Returns the contents as text, or `nil` if the file doesn't exist.
  ///
  /// - Throws: The errors of `read`; `.notText` if it isn't UTF-8.
  package func text(limit: Int = 16 << 20) throws(FileError) -> String? {
    guard let bytes = try read(limit: limit) else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText(path: shown, at: InvalidByte(inUTF8: bytes))
    }
    return text
  }

  /// Returns the names in this folder, unsorted, without `.` and `..`.
  ///
  /// - Throws: `FileError`: `.link`, `.cannotRead`.
  package func fileNames() throws(FileError) -> [String] {
    try withParent { (directory, name) throws(FileError) in
      let folder = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard folder >= 0 else {
        let code = errno
        throw FileKind(name, in: directory) == .link ? .link(path: shown) : .cannotRead(path: shown, errno: code)
      }
      return try Files.names(inDescriptor: folder, path: shown)
    }
  }
}

// MARK: Writing
extension ConfinedPath {
  /// Creates this folder, unless it exists.
  ///
  /// - Throws: `FileError.cannotWrite`; `.link` for a link in its place.
  package func createFolder(mode: mode_t = 0o700) throws(FileError) {
    try withParent { (directory, name) throws(FileError) in
      guard mkdirat(directory, name, mode) != 0 else { return }
      let code = errno
      switch FileKind(name, in: directory) {
      case .folder: return
      case .link: throw .link(path: shown)
      case .missing, .file, .other: throw .cannotWrite(path: shown, errno: code)
      }
    }
  }

  /// Writes the file atomically, and on disk when the function returns.
  ///
  /// - Throws: `FileError.cannotWrite`, `.link`; the existing file is unchanged then.
  package func write(_ data: Data, mode: mode_t? = nil) throws(FileError) {
    let draft = try AtomicFileWriter(at: self, mode: mode)
    try draft.append(data)
    try draft.commit()
  }

  /// Appends text to the existing file, and flushes it to disk.
  ///
  /// - Throws: `FileError.cannotWrite`, `.link`.
  package func append(_ text: String) throws(FileError) {
    try withParent { (directory, name) throws(FileError) in
      let file = openat(directory, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard file >= 0 else { throw errno == ELOOP ? .link(path: shown) : .cannotWrite(path: shown, errno: errno) }
      defer { close(file) }
      var status = stat()
      guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: shown) }
      let code = Descriptor.writeAll(text, to: file)
      guard code == 0 else { throw .cannotWrite(path: shown, errno: code) }
      guard fsync(file) == 0 else { throw .cannotWrite(path: shown, errno: errno) }
    }
  }

  /// Deletes the file, or the link in its place, if there is one.
  package func remove() {
    try? withParent { (directory, name) throws(FileError) in _ = unlinkat(directory, name, 0) }
  }

  /// Deletes the drafts in this folder that ended commands left there; see `AtomicFileWriter`.
  package func removeDrafts() {
    for name in (try? fileNames()) ?? [] {
      if let draft = FileName(draft: name) { appending(draft).remove() }
    }
  }
}

extension FileKind {
  /// Creates the kind of a file in an open folder, without following a link.
  init(_ name: String, in directory: Int32) {
    var status = stat()
    self = fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileKind(status) : .missing
  }
}
