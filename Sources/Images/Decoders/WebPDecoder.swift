import CPhonePictures
import Foundation
import Synchronization

/// WebP by way of libwebp, opened when the first one comes; of a moving picture the first frame.
enum WebPDecoder {
  private struct Functions: @unchecked Sendable { var functions: WebPFunctions }
  private static let loaded = Mutex<Functions??>(nil)

  static func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    guard let webp = open() else { throw .needsLibrary(.webp) }
    let view = ByteView(bytes)
    let bitmap: Bitmap
    if let canvas = chunk("VP8X", of: view), let frame = chunk("ANMF", of: view) {
      bitmap = try WebPFrame(frame, on: canvas).composited { file throws(PictureError) in try decodeStill(file, webp) }
    } else {
      bitmap = try decodeStill(bytes, webp)
    }
    return bitmap.applying(exif(bytes)?.orientation ?? .upright)
  }

  /// Decodes a file with a single picture.
  private static func decodeStill(_ bytes: Data, _ webp: WebPFunctions) throws(PictureError) -> Bitmap {
    var (width, height) = (Int32(0), Int32(0))
    let isKnown = bytes.withUnsafeBytes { source in
      webp.get_info(source.bindMemory(to: UInt8.self).baseAddress, source.count, &width, &height) != 0
    }
    guard isKnown else { throw .damaged(.unsupportedWebP) }
    try ConvertibleFormat.check(width: Int(width), height: Int(height))
    var isRead = false
    let pixels = [UInt8](unsafeUninitializedCapacity: Int(width) * Int(height) * 4) { buffer, count in
      buffer.initialize(repeating: 0)
      count = buffer.count
      isRead = bytes.withUnsafeBytes { source in
        webp.decode_rgba_into(
          source.bindMemory(to: UInt8.self).baseAddress, source.count, buffer.baseAddress, buffer.count, width * 4)
          != nil
      }
    }
    guard isRead else { throw .damaged(.truncatedOrDamaged) }
    return Bitmap(width: Int(width), height: Int(height), pixels: pixels)
  }

  /// Returns the Exif metadata, or `nil` if there is none.
  static func exif(_ bytes: Data) -> EXIFMetadata? {
    guard let block = chunk("EXIF", of: ByteView(bytes)) else { return nil }
    let start = block.hasPrefix("Exif\0\0", at: 0) ? 6 : 0
    return EXIFMetadata(block.slice(start, length: block.count - start))
  }

  /// Returns a chunk of the container (WebP Container Specification).
  private static func chunk(_ name: StaticString, of view: ByteView) -> ByteView? {
    var offset = 12
    // A valid file has only a few chunks.
    for _ in 0..<256 {
      guard let length = view.uint32(offset + 4, bigEndian: false), offset + 8 + length <= view.count else {
        return nil
      }
      if view.hasPrefix(name, at: offset) { return view.slice(offset + 8, length: length) }
      offset += 8 + length + length % 2
    }
    return nil
  }

  private static func open() -> WebPFunctions? {
    loaded.withLock { loaded in
      if let known = loaded { return known?.functions }
      var functions = WebPFunctions()
      let opened = webp_load(&functions, "libwebp.so.7") == 1 ? Functions(functions: functions) : nil
      loaded = .some(opened)
      return opened?.functions
    }
  }
}

/// A frame of a WebP animation, extracted from its container, because libwebp's decoder reads only single pictures.
private struct WebPFrame {
  private let canvas: (width: Int, height: Int)
  private let corner: (x: Int, y: Int)
  private let size: ByteView
  private let data: ByteView

  /// Parses a frame from the contents of the container's `ANMF` chunk, `part`, and of its `VP8X` chunk, `head`.
  init(_ part: ByteView, on head: ByteView) throws(PictureError) {
    guard let width = head.uint24(4), let height = head.uint24(7), let x = part.uint24(0), let y = part.uint24(3),
      part.count > 16
    else { throw .damaged(.truncatedOrDamaged) }
    canvas = (width + 1, height + 1)
    corner = (x * 2, y * 2)
    size = part.slice(6, length: 6)
    data = part.slice(16, length: part.count - 16)
    try ConvertibleFormat.check(width: canvas.width, height: canvas.height)
  }

  /// Returns the frame at its position on the canvas; the rest is transparent.
  func composited(_ decode: (Data) throws(PictureError) -> Bitmap) throws(PictureError) -> Bitmap {
    let frame = try decode(file)
    guard corner.x + frame.width <= canvas.width, corner.y + frame.height <= canvas.height else {
      throw .damaged(.oversizedFrame)
    }
    if (frame.width, frame.height) == canvas { return frame }
    var bitmap = Bitmap(width: canvas.width, height: canvas.height, fill: .clear)
    for row in 0..<frame.height {
      let start = ((corner.y + row) * canvas.width + corner.x) * 4
      let pixels = frame.pixels[row * frame.width * 4..<(row + 1) * frame.width * 4]
      bitmap.pixels.replaceSubrange(start..<start + pixels.count, with: pixels)
    }
    return bitmap
  }

  /// The frame as a file of its own.
  ///
  /// The flag announces alpha, which the data then specifies.
  private var file: Data {
    let head = Data("VP8X".utf8) + Data([10, 0, 0, 0, 0x10, 0, 0, 0]) + size.data
    let body = Data("WEBP".utf8) + head + data.data
    return Data("RIFF".utf8) + withUnsafeBytes(of: UInt32(body.count).littleEndian) { Data($0) } + body
  }
}
