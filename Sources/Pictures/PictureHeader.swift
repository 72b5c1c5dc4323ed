import Foundation
import Glibc

/// What a picture says of itself, known without decoding it: a bomb is refused before it can go off.
package struct PictureHeader: Hashable, Sendable {
  /// More pixels than this are refused (100 megapixels).
  package static let mostPixels = 100_000_000
  /// More than this are not decoded for a terminal (16 megapixels, 64 MB): nobody asked for what a market sends.
  package static let mostShownPixels = 16_000_000

  package var format: PictureFormat
  /// Pixels, as the file stores them.
  package var storedWidth: Int
  package var storedHeight: Int
  package var orientation: Orientation
  /// True when the file tells where it was taken (EXIF or XMP GPS latitude or longitude).
  package var hasPosition: Bool
  /// Channels as stored: 1 gray, 3 colour, 4 CMYK for JPEG; PNG's own count, a palette being 1.
  package var channels: Int

  /// Pixels, as a viewer shows them (orientation applied).
  package var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  package var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Throws ``PictureError/tooManyToShow(width:height:)`` for what would cost more memory than a look is worth.
  func checkShown() throws(PictureError) {
    guard storedWidth <= PictureHeader.mostShownPixels / storedHeight else {
      throw .tooManyToShow(width: width, height: height)
    }
  }

  /// - Throws: ``PictureError/notAPicture``, ``PictureError/damaged(_:)`` or
  ///   ``PictureError/tooManyPixels(width:height:)``; no pixel is decoded.
  package static func read(_ bytes: Data) throws(PictureError) -> PictureHeader {
    guard let format = PictureFormat.detect(bytes) else { throw .notAPicture }
    let view = ByteView(bytes)
    let header =
      switch format {
      case .jpeg: try JPEGHeader.read(view)
      case .png: try PNGHeader.read(view)
      }
    guard header.storedWidth > 0, header.storedHeight > 0 else { throw .damaged("The picture has no pixels") }
    guard header.storedWidth <= mostPixels / header.storedHeight else {
      throw .tooManyPixels(width: header.width, height: header.height)
    }
    return header
  }
}

/// The two kinds of picture the market takes; told by their first bytes, because a file's name proves nothing.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png

  /// Nil when the bytes begin like neither.
  package static func detect(_ bytes: Data) -> PictureFormat? {
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    return nil
  }

  package var mediaType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    }
  }

  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    }
  }
}

/// Why a picture cannot be used; every case carries what a message needs to say so in any tongue.
package enum PictureError: Error, Hashable, Sendable {
  case notFound(path: String)
  /// `reason` is the system's own text for the error number.
  case unreadable(path: String, reason: String)
  case notAFile(path: String, kind: FileKind)
  /// Sizes in bytes; `bytes` is at least this many when the file did not tell.
  case tooLarge(bytes: Int, limit: Int)
  case notAPicture
  case tooManyPixels(width: Int, height: Int)
  /// It may be uploaded and saved, but is not decoded to be looked at.
  case tooManyToShow(width: Int, height: Int)
  /// Cut short or broken; the text is the decoder's, in English.
  case damaged(String)
  /// Sound, but of a kind no decoder here knows (lossless or 12-bit JPEG, for example).
  case unsupported(String)
  /// A picture of another kind, and what reads it is not installed.
  case needsLibrary(ForeignPicture)
  /// No size of the picture fits below so few bytes.
  case cannotFit(limit: Int)
  /// The encoder refused.
  case unwritable(String)
}

/// Reads a picture from the user's own disk without ever hanging: pipes, devices and directories are refused
/// unopened, and no more than ``mostBytes`` is read.
package enum PictureSource {
  /// 20 MiB.
  package static let mostBytes = 20 * 1024 * 1024

  /// The file's bytes, read once; links are followed. What they are is not looked at here.
  ///
  /// - Throws: `PictureError` for a file that cannot be read, is no file or is too large.
  package static func read(path: String) throws(PictureError) -> Data {
    // A NUL would end the path early for the system, and another file would be read than the one named.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path: path) }
    var facts = stat()
    // Looking before opening: opening alone wakes a pipe's writer and rewinds a tape.
    guard stat(path, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    guard fstat(file, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    return try drain(file, path)
  }

  private static func check(_ facts: stat, _ path: String) throws(PictureError) {
    let kind: FileKind
    switch facts.st_mode & S_IFMT {
    case S_IFREG:
      guard facts.st_size <= mostBytes else { throw .tooLarge(bytes: Int(facts.st_size), limit: mostBytes) }
      return
    case S_IFDIR: kind = .directory
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .characterDevice
    case S_IFBLK: kind = .blockDevice
    case _: kind = .other
    }
    throw .notAFile(path: path, kind: kind)
  }

  /// Reads to the end rather than to the size that was told: files under /proc tell zero, others grow.
  private static func drain(_ file: Int32, _ path: String) throws(PictureError) -> Data {
    var bytes = Data()
    var chunk = [UInt8](repeating: 0, count: 262_144)
    while true {
      let count = Glibc.read(file, &chunk, chunk.count)
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw failure(path)
      }
      bytes.append(contentsOf: chunk[..<count])
      guard bytes.count <= mostBytes else { throw .tooLarge(bytes: bytes.count, limit: mostBytes) }
    }
  }

  private static func failure(_ path: String) -> PictureError {
    let number = errno
    if number == ENOENT { return .notFound(path: path) }
    return .unreadable(path: path, reason: String(cString: strerror(number)))
  }
}

/// What stands at a path, when it is something a picture cannot be read from.
package enum FileKind: String, Hashable, Sendable {
  case directory, pipe, socket, characterDevice, blockDevice, other
}
