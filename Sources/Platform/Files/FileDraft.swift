import Foundation

/// A file that is written piece by piece and appears whole or not at all: it grows beside its place and is renamed there,
/// with the mode of the file it takes the place of. A link of the user's own is followed; a device or a FIFO is written to.
package final class FileDraft {
  private let path: String
  /// Nil where nothing can be renamed: at a device, a FIFO.
  private let draft: String?
  private var file: Int32
  private var buffer: [UInt8] = []
  /// Of the file once it is committed, without reading it again; nil where nobody asked for it, and at a device, a FIFO.
  package private(set) var digest: FileDigest?

  /// Pieces are gathered to this many bytes before they go to the disk.
  private static let capacity = 1 << 18

  /// - Parameters:
  ///   - mode: of the file; nil for what the one that is there has, and else for what is usual.
  ///   - isRemembered: its ``digest`` is wanted.
  /// - Throws: `FileError.cannotWrite` where the folder does not take a file, the file may not be written, or nobody
  ///   reads the FIFO.
  package init(at path: String, mode: mode_t? = nil, isRemembered: Bool = false) throws(FileError) {
    let there = FilePlace(path)
    self.path = there.path
    if there.isStream {
      draft = nil
      // Without waiting for a reader, and blocking from then on.
      file = open(there.path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
      _ = fcntl(file, F_SETFL, fcntl(file, F_GETFL) & ~O_NONBLOCK)
      return
    }
    guard there.problem == 0 else { throw .cannotWrite(path: path, errno: there.problem) }
    // A name of its own: the file's may be as long as a name can be.
    let folder = Paths.parent(of: there.path)
    let name = ".\(getpid()).\(UInt32.random(in: 0 ... .max)).new"
    let draft = folder.isEmpty ? name : folder + "/" + name
    self.draft = draft
    if isRemembered { digest = FileDigest() }
    file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode ?? there.mode ?? 0o666)
    guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    if mode == nil, let kept = there.mode { fchmod(file, kept) }
  }

  deinit { discard() }

  /// Adds a text, which goes to the disk with others.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ text: String) throws(FileError) { try gather(text.utf8) }

  /// Adds bytes, which go to the disk with others.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ bytes: [UInt8]) throws(FileError) { try gather(bytes) }

  private func gather(_ bytes: some Collection<UInt8>) throws(FileError) {
    if buffer.isEmpty { buffer.reserveCapacity(FileDraft.capacity + 65_536) }
    buffer.append(contentsOf: bytes)
    if buffer.count >= FileDraft.capacity { try flush() }
  }

  /// Adds bytes, at once.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func append(_ data: Data) throws(FileError) {
    try flush()
    try check(data.withUnsafeBytes(write))
  }

  /// Puts the file in its place, on the disk.
  ///
  /// - Throws: `FileError.cannotWrite`; the file that was there is then as it was.
  package func commit() throws(FileError) {
    try flush()
    try check(fsync(file) == 0 || errno == EINVAL ? 0 : errno)
    close(file)
    file = -1
    guard let draft else { return }
    guard rename(draft, path) == 0 else {
      let code = errno
      unlink(draft)
      throw .cannotWrite(path: path, errno: code)
    }
    let folder = open(
      Paths.parent(of: draft).isEmpty ? "." : Paths.parent(of: draft), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// Leaves everything as it was.
  package func discard() {
    guard file >= 0 else { return }
    close(file)
    file = -1
    if let draft { unlink(draft) }
  }

  private func flush() throws(FileError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try check(buffer.withUnsafeBytes(write))
  }

  /// Writes all of it; the `errno` of what went wrong, or 0.
  private func write(_ bytes: UnsafeRawBufferPointer) -> Int32 {
    digest?.add(bytes)
    var done = 0
    while done < bytes.count {
      let count = Foundation.write(file, bytes.baseAddress?.advanced(by: done), bytes.count - done)
      if count > 0 { done += count } else if errno != EINTR { return errno }
    }
    return 0
  }

  private func check(_ problem: Int32) throws(FileError) {
    if problem != 0 { throw .cannotWrite(path: path, errno: problem) }
  }
}

/// The file an editor works on: in a folder of ours alone, never followed through a link.
package struct EditFile: Sendable {
  package let path: String
  private static let limit = 16 << 20

  /// A path that is free.
  ///
  /// - Throws: `FileError` where the folder cannot be made.
  package init(in folder: String, named name: String) throws(FileError) {
    try Files.makeFolder(folder)
    chmod(folder, 0o700)
    path = folder + "/" + name
  }

  /// Writes a new file in place of one that is there.
  ///
  /// - Throws: `FileError.cannotWrite`.
  package func write(_ text: String) throws(FileError) {
    unlink(path)
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .cannotWrite(path: path, errno: errno) }
    defer { close(file) }
    do {
      try Descriptor.write(text, to: file, path: path)
    } catch {
      throw .cannotWrite(path: path, errno: ENOSPC)
    }
  }

  /// What the person left in it.
  ///
  /// - Throws: `FileError` where it is gone, no file, no text or too large.
  package func read() throws(FileError) -> String {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw .cannotRead(path: path, errno: errno) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw .notAFile(path: path) }
    guard status.st_size <= Self.limit else { throw .tooLarge(path: path, limit: Self.limit) }
    // One more than there should be: a file that grows meanwhile is read no further.
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size) + 1)
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Foundation.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .cannotRead(path: path, errno: errno) }
      if count == 0 { break }
      filled += count
    }
    guard let text = String(validating: bytes[..<filled], as: UTF8.self) else { throw .notText(path: path) }
    return text
  }

  package func remove() { unlink(path) }
}
