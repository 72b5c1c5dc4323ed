import Foundation
import Glibc
import Text

/// Reading and writing of complete files: no links planted by other users are followed, and no file is left half
/// written.
package enum Files {
  /// Returns the contents of a regular file of at most `limit` bytes, or `nil` if it does not exist.
  ///
  /// It never blocks on a FIFO.
  ///
  /// - Throws: `FileError`: `.cannotRead`, `.notAFile`, `.tooLarge`, and `.insecurePermissions` for a `secret` file that other
  ///   users can read.
  package static func read(_ path: String, limit: Int = 16 << 20, secret: Bool = false) throws(FileError) -> Data? {
    guard let (file, status) = try openRegularFile(path) else { return nil }
    defer { close(file) }
    if secret, status.st_mode & 0o077 != 0 {
      throw .insecurePermissions(path: path, mode: "0" + String(status.st_mode & 0o777, radix: 8))
    }
    return try contents(of: file, size: Int(status.st_size), path: path, limit: limit)
  }

  /// Returns the contents of an open file of at most `limit` bytes, whose size was `size` when it was opened.
  ///
  /// - Throws: `FileError`: `.cannotRead`, `.tooLarge`.
  static func contents(of file: Int32, size: Int, path: String, limit: Int) throws(FileError) -> Data {
    // The file may grow while it is read, so its size alone is not sufficient.
    if size > limit { throw .tooLarge(path: path, limit: limit) }
    var bytes = Data()
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(file, &buffer, buffer.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .cannotRead(path: path, errno: errno)
      }
      bytes.append(contentsOf: buffer[..<count])
      if bytes.count > limit { throw .tooLarge(path: path, limit: limit) }
    }
  }

  /// Opens a regular file and returns its descriptor and status, or `nil` if it does not exist.
  static func openRegularFile(_ path: String) throws(FileError) -> (Int32, stat)? {
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .cannotRead(path: path, errno: errno)
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw .notAFile(path: path)
    }
    return (file, status)
  }

  /// Returns the contents of a file as text, or `nil` if it does not exist.
  ///
  /// - Throws: `FileError`; `.notText` if it is not UTF-8.
  package static func text(_ path: String, limit: Int = 16 << 20, secret: Bool = false) throws(FileError) -> String? {
    guard let data = try read(path, limit: limit, secret: secret) else { return nil }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw .notText(path: path, at: secret ? nil : InvalidByte(inUTF8: data))
    }
    return text
  }

  /// Writes a file atomically: to a temporary file in the same folder, flushed to disk, then renamed.
  ///
  /// - Throws: `FileError.cannotWrite`; the existing file is unchanged then.
  package static func write(_ data: Data, to path: String, mode: mode_t? = nil) throws(FileError) {
    let draft = try AtomicFileWriter(at: path, mode: mode)
    try draft.append(data)
    try draft.commit()
  }

  /// Calls a closure while holding an exclusive lock on the folder of `path`, so that no other shell changes the file
  /// between reading and writing.
  ///
  /// - Throws: `FileError.cannotWrite` if the folder cannot be locked, and the errors of the closure.
  package static func withExclusiveLock<Value>(at path: String, _ body: () throws(FileError) -> Value) throws(FileError)
    -> Value
  {
    let folder = Paths.parent(of: path)
    try createDirectory(folder)
    let lock = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard lock >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0, errno == EINTR {}
    return try body()
  }

  /// Returns the names in a folder, unsorted, without `.` and `..`.
  ///
  /// - Throws: `FileError.cannotRead`.
  package static func names(in folder: String) throws(FileError) -> [String] {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .cannotRead(path: folder, errno: errno) }
    return try names(inDescriptor: descriptor, path: folder)
  }

  /// Returns the names in an open folder, and closes it.
  ///
  /// - Throws: `FileError.cannotRead`.
  static func names(inDescriptor descriptor: Int32, path folder: String) throws(FileError) -> [String] {
    guard let stream = fdopendir(descriptor) else {
      let code = errno
      close(descriptor)
      throw .cannotRead(path: folder, errno: code)
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        if errno != 0 { throw .cannotRead(path: folder, errno: errno) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Creates a folder and its parents, unless another mode is given accessible only to this user.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package static func createDirectory(_ path: String, mode: mode_t = 0o700) throws(FileError) {
    var status = stat()
    if stat(path, &status) == 0 {
      guard status.st_mode & S_IFMT == S_IFDIR else { throw .cannotWrite(path: path, errno: ENOTDIR) }
      return
    }
    let parent = Paths.parent(of: path)
    if !parent.isEmpty, parent != path { try createDirectory(parent, mode: mode) }
    if mkdir(path, mode) != 0, errno != EEXIST { throw .cannotWrite(path: path, errno: errno) }
  }

  /// Creates a folder of the program and its parents, accessible only to this user.
  ///
  /// - Throws: `FileError.unusableHome`, for which the user can choose another place.
  package static func createHomeFolder(_ path: String) throws(FileError) {
    do { try createDirectory(path) } catch {
      guard case .cannotWrite(let path, let code) = error else { throw error }
      throw .unusableHome(path: path, errno: code)
    }
  }
}

/// Complete writes to a file descriptor.
extension Descriptor {
  /// Writes all of the text, also if the system accepts it only in parts.
  ///
  /// - Throws: `OutputError`.
  package static func write(_ text: String, to descriptor: Int32, path: String? = nil) throws(OutputError) {
    try write(Array(text.utf8), to: descriptor, path: path)
  }

  /// Writes all of the bytes.
  ///
  /// - Throws: `OutputError`.
  package static func write(_ bytes: [UInt8], to descriptor: Int32, path: String? = nil) throws(OutputError) {
    let code = bytes.withUnsafeBytes { writeAll($0, to: descriptor) }
    if code == EPIPE { throw .closed }
    if code != 0 { throw .failed(path: path, errno: code) }
  }
}

/// The kind of file at a path, without following a link.
package enum FileKind: Hashable, Sendable {
  case missing
  case file
  case folder
  case link
  case other

  package init(_ path: String) {
    var status = stat()
    self = lstat(path, &status) == 0 ? FileKind(status) : .missing
  }

  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: self = .file
    case S_IFDIR: self = .folder
    case S_IFLNK: self = .link
    default: self = .other
    }
  }
}

/// Operations on paths as users type them.
package enum Paths {
  /// Returns the path with a leading `~` replaced by the home folder, in the normalization form of the existing file.
  package static func expanded(_ path: String, home: String?) -> String {
    guard let home, path == "~" || path.hasPrefix("~/") else { return existing(path) }
    return existing(home + path.dropFirst())
  }

  /// Returns the path of the file or folder whose name is canonically equivalent, if there is none with the exact name.
  ///
  /// File systems of Linux compare bytes, but names from macOS are often decomposed (한 as ㅎㅏㄴ) and typed ones composed.
  /// A path that doesn't exist in any form stays as it was typed.
  package static func existing(_ path: String) -> String {
    guard path.utf8.contains(where: { $0 >= 0x80 }), !exists(path) else { return path }
    var found = path.utf8.first == UInt8(ascii: "/") ? "/" : ""
    var rest = path.unicodeScalars.split(separator: "/").map { String($0) }[...]
    while let part = rest.first {
      var next = found + part
      if !exists(next) {
        // Swift compares strings by canonical equivalence.
        guard let name = (try? Files.names(in: found.isEmpty ? "." : found))?.first(where: { $0 == part }) else {
          break
        }
        next = found + name
      }
      rest = rest.dropFirst()
      found = rest.isEmpty ? next : next + "/"
    }
    return found + rest.joined(separator: "/")
  }

  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }

  /// Returns the folder that contains a path, or an empty string for a bare file name.
  ///
  /// Foundation's `deletingLastPathComponent` crashes for a path of one character.
  package static func parent(of path: String) -> String {
    var scalars = path.unicodeScalars[...]
    while scalars.count > 1, scalars.last == "/" { scalars.removeLast() }
    guard let slash = scalars.lastIndex(of: "/") else { return "" }
    var folder = scalars[..<slash]
    while folder.count > 1, folder.last == "/" { folder.removeLast() }
    return folder.isEmpty ? "/" : String(folder)
  }
}

/// An error with a file of the program or of the user.
package enum FileError: Error, Hashable, Sendable {
  case cannotRead(path: String, errno: Int32)
  case cannotWrite(path: String, errno: Int32)
  /// A folder for the files of the program can't be created.
  case unusableHome(path: String, errno: Int32)
  case notAFile(path: String)
  /// A path in a file that leads out of the folder of that file, or to a hidden file.
  case outside(path: String)
  /// A link, or a file that is reached through a link, below a folder in which no link is followed.
  case link(path: String)
  case notText(path: String, at: InvalidByte? = nil)
  case tooLarge(path: String, limit: Int)
  /// The file was written to while it was read.
  case modifiedWhileReading(path: String)
  /// A file with secrets that other users can read; libpq rejects such a file too.
  case insecurePermissions(path: String, mode: String)
  /// A settings file that cannot be parsed.
  case malformed(path: String, reason: LocalizedText)
  /// A settings file that cannot be parsed, with the line, from 1.
  ///
  /// The reason quotes no value of a file that may contain secrets.
  case syntax(path: String, line: Int, reason: LocalizedText)
  /// A certificate file without a certificate.
  case noCertificate(path: String)

  /// The reason for a file that another program wrote.
  package static let otherProgram = LocalizedText("not a file of this program", ko: "이 프로그램의 파일이 아닙니다.")
}

/// An `errno`.
struct Errno: Error, Hashable {
  var code: Int32
}

/// The error for data that could not be written to standard output or a file.
package enum OutputError: Error, Hashable, Sendable {
  /// The reader closed the pipe, as `| head` does.
  case closed
  case failed(path: String?, errno: Int32)
}

/// An exclusive lock on a folder of this program, which ends with the process.
package final class FolderLock: Sendable {
  private let file: Int32

  /// Takes the lock, or returns `nil` if another process has it or the folder can't be opened.
  package init?(_ folder: String) {
    file = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { return nil }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      close(file)
      return nil
    }
  }

  deinit {
    // Closing alone would not release it while a program that is being started still has a copy of the descriptor.
    flock(file, LOCK_UN)
    close(file)
  }
}
