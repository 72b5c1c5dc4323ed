import Foundation
import Glibc

/// Reads a picture file without ever blocking: pipes, devices and folders are rejected without opening them, and at
/// most ``maximumBytes`` are read.
package enum PictureFileReader {
  /// The maximum size of a file: 20 MiB.
  package static let maximumBytes = 20 * 1024 * 1024

  /// Returns the bytes of a file, following links.
  ///
  /// The format is not checked.
  ///
  /// - Throws: `PictureError` for a file that cannot be read, is not a regular file, or is too large.
  package static func read(path: String) throws(PictureError) -> Data {
    // The system would end the path at a NUL and read a file other than the named one.
    guard !path.isEmpty, !path.utf8.contains(0) else { throw .notFound(path: path) }
    var facts = stat()
    // Checked before opening: opening alone wakes the writer of a pipe and rewinds a tape.
    guard stat(path, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    return try read(descriptor: file, path: path)
  }

  /// Returns the bytes of an open file, which the caller closes.
  ///
  /// - Throws: `PictureError` for a file that cannot be read, is not a regular file, or is too large.
  package static func read(descriptor: Int32, path: String) throws(PictureError) -> Data {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw failure(path) }
    try check(facts, path)
    return try readToEnd(descriptor, path)
  }

  private static func check(_ facts: stat, _ path: String) throws(PictureError) {
    let kind: FileKind
    switch facts.st_mode & S_IFMT {
    case S_IFREG:
      guard facts.st_size <= maximumBytes else { throw .tooLarge(bytes: Int(facts.st_size), limit: maximumBytes) }
      return
    case S_IFDIR: kind = .directory
    case S_IFIFO: kind = .pipe
    case S_IFSOCK: kind = .socket
    case S_IFCHR: kind = .characterDevice
    case S_IFBLK: kind = .blockDevice
    case _: kind = .other
    }
    throw .notARegularFile(path: path, kind: kind)
  }

  /// Reads to the end instead of to the reported size: files in /proc report zero, and others grow.
  private static func readToEnd(_ file: Int32, _ path: String) throws(PictureError) -> Data {
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
      guard bytes.count <= maximumBytes else { throw .tooLarge(bytes: bytes.count, limit: maximumBytes) }
    }
  }

  private static func failure(_ path: String) -> PictureError {
    let number = errno
    if number == ENOENT { return .notFound(path: path) }
    return .unreadable(path: path, reason: String(cString: strerror(number)))
  }
}

/// The error for a picture that cannot be used.
///
/// Every case contains what a message in any language needs.
package enum PictureError: Error, Hashable, Sendable {
  case notFound(path: String)
  /// `reason` is the system's message for the `errno`.
  case unreadable(path: String, reason: String)
  case notARegularFile(path: String, kind: FileKind)
  /// Sizes in bytes; `bytes` is a lower bound if the file's size is unknown.
  case tooLarge(bytes: Int, limit: Int)
  case notAPicture
  /// A GIF, which no edition accepts and which is not converted.
  case gif
  case tooManyPixels(width: Int, height: Int)
  /// The picture may be uploaded and saved, but is not decoded for display.
  case tooLargeToDisplay(width: Int, height: Int)
  /// The file is truncated or damaged.
  case damaged(PictureFault)
  /// The file is valid, but no decoder supports its variant (lossless or 12-bit JPEG, for example).
  case unsupported(PictureFault)
  /// The format needs a library that is not installed.
  case needsLibrary(ConvertibleFormat)
  /// No size of the picture is below the limit.
  case cannotFit(limit: Int)
  case encodingFailed(PictureFault)
}

/// A fault of a picture, or of coding it.
package enum PictureFault: Hashable, Sendable {
  case noPixels
  case noImage
  case noData
  case truncated
  case truncatedOrDamaged
  case undecodable
  case unsupportedWebP
  case oversizedFrame
  case scanBeforeSize
  case tooManyScans(Int)
  case noTurboJPEG
  case noMemory
  case libheif(code: Int)
  /// A message of a library, in English.
  case library(String)
}

/// The two formats that a market accepts, detected by their first bytes, because a file name proves nothing.
package enum PictureFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg, png

  /// Detects the format, or returns `nil` for any other.
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

/// The metadata of a picture, read without decoding it, so that a decompression bomb is rejected.
package struct PictureHeader: Hashable, Sendable {
  /// The maximum number of pixels (100 megapixels).
  package static let maximumPixelCount = 100_000_000
  /// The maximum number of pixels to decode for a terminal (16 megapixels, 64 MB), because the server chooses the
  /// pictures.
  package static let maximumDisplayPixelCount = 16_000_000
  /// The maximum number of scans to decode.
  ///
  /// The usual encoders write about ten; 490 of them made a picture of 58 KB take seconds.
  package static let maximumScanCount = 32

  package var format: PictureFormat
  /// The width in pixels as stored.
  package var storedWidth: Int
  package var storedHeight: Int
  package var orientation: Orientation
  /// Indicates a location (EXIF or XMP GPS latitude or longitude).
  package var hasGPSLocation: Bool
  /// The number of stored channels: 1 gray, 3 color, 4 CMYK for JPEG; PNG's own number, where a palette is 1.
  package var channels: Int
  /// The number of scans of a JPEG, each of which a decoder draws over the complete image; 1 for a PNG.
  package var scanCount = 1

  /// The width in pixels as displayed, after applying the orientation.
  package var width: Int { orientation.swapsSides ? storedHeight : storedWidth }
  package var height: Int { orientation.swapsSides ? storedWidth : storedHeight }

  /// Checks that the picture may be displayed.
  ///
  /// Throws ``PictureError/tooLargeToDisplay(width:height:)`` if decoding takes too much memory.
  func checkDisplayable() throws(PictureError) {
    guard storedWidth <= PictureHeader.maximumDisplayPixelCount / storedHeight else {
      throw .tooLargeToDisplay(width: width, height: height)
    }
  }

  /// - Throws: ``PictureError/notAPicture``, ``PictureError/gif``, ``PictureError/damaged(_:)`` or
  ///   ``PictureError/tooManyPixels(width:height:)``; no pixel is decoded.
  package static func read(_ bytes: Data) throws(PictureError) -> PictureHeader {
    guard let format = PictureFormat.detect(bytes) else {
      throw ByteView(bytes).hasPrefix("GIF8", at: 0) ? .gif : .notAPicture
    }
    let view = ByteView(bytes)
    let header =
      switch format {
      case .jpeg: try JPEGHeader.read(view)
      case .png: try PNGHeader.read(view)
      }
    guard header.storedWidth > 0, header.storedHeight > 0 else { throw .damaged(.noPixels) }
    guard header.storedWidth <= maximumPixelCount / header.storedHeight else {
      throw .tooManyPixels(width: header.width, height: header.height)
    }
    return header
  }
}

/// The kind of a file that is not a regular file.
package enum FileKind: String, Hashable, Sendable {
  case directory, pipe, socket, characterDevice, blockDevice, other
}
