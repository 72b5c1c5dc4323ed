import Foundation
import Text

/// A file that is written in chunks and appears completely or not at all.
///
/// It is written to a temporary file in the same folder, with the mode of the file it replaces, and renamed over it. A
/// symbolic link of the user's own is followed; a device or a FIFO is written to directly.
package final class AtomicFileWriter {
  private let path: String
  /// The path for messages.
  private let shown: String
  /// The folder that the paths are relative to: an open one, or that of the process.
  private let folder: Int32
  /// The path of the temporary file, or `nil` for a device or a FIFO, which cannot be replaced.
  private let temporaryPath: String?
  private var file: Int32
  private var buffer: [UInt8] = []
  /// The digest of the committed file, computed while writing; `nil` if it was not requested, and for a device or a
  /// FIFO.
  package private(set) var digest: FileDigest?

  /// The size at which the write buffer is flushed, in bytes.
  private static let capacity = 1 << 18

  /// Opens a draft for the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mode: The mode of the file, or `nil` for the mode of the existing file or the default.
  ///   - isRemembered: Computes ``digest``.
  /// - Throws: `FileError.cannotWrite` if the folder or the file is not writable, or if no process reads the FIFO.
  package init(at path: String, mode: mode_t? = nil, isRemembered: Bool = false) throws(FileError) {
    let there = WriteDestination(path)
    self.path = there.path
    shown = path
    folder = AT_FDCWD
    if there.isSpecialFile {
      temporaryPath = nil
      // Opened without waiting for a reader, and set to blocking afterwards.
      file = open(there.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
      _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
      return
    }
    guard there.errorCode == 0 else { throw .cannotWrite(path: path, errno: there.errorCode) }
    // The temporary name is independent of the file's name, which may have the maximum length.
    let parent = Paths.parent(of: there.path)
    let draft = (parent.isEmpty ? "" : parent + "/") + AtomicFileWriter.temporaryName()
    self.temporaryPath = draft
    if isRemembered { digest = FileDigest() }
    file = open(draft, AtomicFileWriter.flags, mode ?? there.mode ?? 0o666)
    guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    if mode == nil, let stored = there.mode { fchmod(file, stored) }
  }

  /// Opens a draft for a file of a folder in which no link is followed, with the mode of the existing file unless another
  /// is given.
  ///
  /// - Throws: `FileError`: `.cannotWrite`, `.link` for a link in place of the file.
  package init(at destination: ConfinedPath, mode: mode_t? = nil) throws(FileError) {
    shown = destination.shown
    let shown = destination.shown
    let draft = AtomicFileWriter.temporaryName()
    let (directory, name, descriptor) = try destination.withParent {
      (directory, name) throws(FileError) -> (Int32, String, Int32) in
      var status = stat()
      var existing: mode_t?
      if fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 {
        switch FileKind(status) {
        case .link: throw .link(path: shown)
        case .folder: throw .cannotWrite(path: shown, errno: EISDIR)
        case .other, .missing: throw .notAFile(path: shown)
        case .file: break
        }
        guard faccessat(directory, name, W_OK, 0) == 0 else { throw .cannotWrite(path: shown, errno: errno) }
        existing = status.st_mode & 0o777
      }
      let copy = fcntl(directory, F_DUPFD_CLOEXEC, 0)
      guard copy >= 0 else { throw .cannotWrite(path: shown, errno: errno) }
      let file = openat(directory, draft, AtomicFileWriter.flags, mode ?? existing ?? 0o666)
      guard file >= 0 else {
        let code = errno
        close(copy)
        throw .cannotWrite(path: shown, errno: code)
      }
      if mode == nil, let existing { fchmod(file, existing) }
      return (copy, name, file)
    }
    (path, folder, temporaryPath, file) = (name, directory, draft, descriptor)
  }

  deinit {
    discard()
    if folder != AT_FDCWD { close(folder) }
  }

  private static let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC

  private static func temporaryName() -> String { ".\(getpid()).\(UInt32.random(in: 0 ... .max)).new" }

  /// Returns whether a name may be that of a temporary file.
  package static func isDraftName(_ name: String) -> Bool {
    name.wholeMatch(of: /\.[0-9]{1,10}\.[0-9]{1,10}\.new/) != nil
  }

  /// The name of the temporary file, in the folder of the file, or `nil` for a device or a FIFO.
  ///
  /// It exists until ``commit(isDurable:)`` replaces the file by it.
  package var draftName: String? { temporaryPath.map { ($0 as NSString).lastPathComponent } }

  /// Writes the content to the temporary file and to disk, so that ``digest`` is that of the file.
  ///
  /// - Throws: `FileError.cannotWrite`; the existing file is unchanged then.
  package func finish() throws(FileError) {
    try flush()
    try check(fsync(file) == 0 || errno == EINVAL ? 0 : errno)
  }

  /// Appends text to the buffer.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ text: String) throws(FileError) { try appendBuffered(text.utf8) }

  /// Appends bytes to the buffer.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ bytes: [UInt8]) throws(FileError) { try appendBuffered(bytes) }

  private func appendBuffered(_ bytes: some Collection<UInt8>) throws(FileError) {
    if buffer.isEmpty { buffer.reserveCapacity(AtomicFileWriter.capacity + 65_536) }
    buffer.append(contentsOf: bytes)
    if buffer.count >= AtomicFileWriter.capacity { try flush() }
  }

  /// Appends data without buffering it.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ data: Data) throws(FileError) {
    try flush()
    try check(data.withUnsafeBytes(write))
  }

  /// Flushes the file to disk and moves it to its path.
  ///
  /// - Parameter isDurable: Whether the file is on disk when the function returns. Without it, a loss of power may leave
  ///   the file empty, but many files are written in the time of one.
  /// - Throws: `FileError.cannotWrite`; the existing file is unchanged then.
  package func commit(isDurable: Bool = true) throws(FileError) {
    try flush()
    if isDurable { try check(fsync(file) == 0 || errno == EINVAL ? 0 : errno) }
    if let temporaryPath { try check(renameat(folder, temporaryPath, folder, path) == 0 ? 0 : errno) }
    end()
    guard isDurable, let temporaryPath else { return }
    let parent = openat(
      folder, Paths.parent(of: temporaryPath).isEmpty ? "." : Paths.parent(of: temporaryPath),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return }
    fsync(parent)
    close(parent)
  }

  /// Deletes the draft; the existing file is unchanged.
  package func discard() {
    guard end() else { return }
    if let temporaryPath { unlinkat(folder, temporaryPath, 0) }
  }

  /// Ends the writing and leaves the draft, by which it is known that the file wasn't replaced.
  ///
  /// `ConfinedPath.removeDrafts()` deletes it. After a commit the function does nothing.
  package func leaveDraft() { end() }

  /// Closes the temporary file, and returns whether it was open.
  @discardableResult private func end() -> Bool {
    guard file >= 0 else { return false }
    close(file)
    file = -1
    return true
  }

  private func flush() throws(FileError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try check(buffer.withUnsafeBytes(write))
  }

  /// Writes all bytes.
  ///
  /// Returns an `errno`, or 0.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    digest?.update(bytes)
    return Descriptor.writeAll(bytes, to: file)
  }

  private func check(_ problem: Int32) throws(FileError) {
    if problem != 0 { throw .cannotWrite(path: shown, errno: problem) }
  }
}

/// The state of the file system at a path that will be written to.
package struct WriteDestination {
  /// The real path: symbolic links are resolved unless another user created them.
  package let path: String
  /// The mode of the existing file, or `nil` if there is none.
  package let mode: mode_t?
  /// Indicates a device, a FIFO or a socket, which is written to and never replaced.
  package let isSpecialFile: Bool
  /// The reason why the path is not writable as an `errno`, or 0.
  package let errorCode: Int32

  package init(_ path: String) {
    var status = stat()
    self.path = WriteDestination.resolvedLink(path) ?? path
    guard stat(self.path, &status) == 0 else {
      (mode, isSpecialFile, errorCode) = (nil, false, 0)
      return
    }
    mode = status.st_mode & 0o777
    let kind = status.st_mode & S_IFMT
    isSpecialFile = kind != S_IFREG && kind != S_IFDIR
    errorCode = kind == S_IFDIR ? EISDIR : access(self.path, W_OK) == 0 ? 0 : errno
  }

  /// The maximum number of links between a path and its file, as in Linux.
  private static let maximumLinks = 40

  /// Resolves a link, also one to a file that doesn't exist yet; returns `nil` for anything else, and for a link that another
  /// user created, as is possible in `/tmp`.
  private static func resolvedLink(_ path: String, depth: Int = 0) -> String? {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK, [geteuid(), 0].contains(status.st_uid) else {
      return nil
    }
    if let real = realpath(path, nil) {
      defer { free(real) }
      return String(cString: real)
    }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &bytes, bytes.count)
    guard depth < maximumLinks, count > 0, count < bytes.count else { return nil }
    let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parent = Paths.parent(of: path)
    let whole = target.hasPrefix("/") || parent.isEmpty ? target : parent + "/" + target
    return resolvedLink(whole, depth: depth + 1) ?? whole
  }
}
