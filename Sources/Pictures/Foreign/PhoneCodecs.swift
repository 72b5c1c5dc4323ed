import CPhonePictures
import Foundation
import Synchronization

/// WebP by way of libwebp, opened when the first one comes; of a moving picture the first frame.
enum WebPDecoder {
  private struct Door: @unchecked Sendable { var functions: WebPDoor }
  private static let door = Mutex<Door??>(nil)

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
  private static func decodeStill(_ bytes: Data, _ webp: WebPDoor) throws(PictureError) -> Bitmap {
    var (width, height) = (Int32(0), Int32(0))
    let isKnown = bytes.withUnsafeBytes { source in
      webp.get_info(source.bindMemory(to: UInt8.self).baseAddress, source.count, &width, &height) != 0
    }
    guard isKnown else { throw .damaged("not a WebP image supported by libwebp") }
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
    guard isRead else { throw .damaged("truncated or damaged") }
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
      guard let length = view.uint32(offset + 4, bigEndian: false), offset + 8 + length <= view.count else { return nil }
      if view.hasPrefix(name, at: offset) { return view.slice(offset + 8, length: length) }
      offset += 8 + length + length % 2
    }
    return nil
  }

  private static func open() -> WebPDoor? {
    door.withLock { door in
      if let known = door { return known?.functions }
      var functions = WebPDoor()
      let opened = webp_door_open(&functions, "libwebp.so.7") == 1 ? Door(functions: functions) : nil
      door = .some(opened)
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

  /// Parses a frame from the contents of the container's `ANMF` chunk, `slice`, and of its `VP8X` chunk, `head`.
  init(_ part: ByteView, on head: ByteView) throws(PictureError) {
    guard let width = head.uint24(4), let height = head.uint24(7), let x = part.uint24(0), let y = part.uint24(3),
      part.count > 16
    else { throw .damaged("truncated or damaged") }
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
      throw .damaged("the first frame is larger than the image")
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

/// The HEIC and AVIF decoder of libheif, loaded at the first use.
///
/// The library applies the orientation itself.
enum HEIFDecoder {
  private struct Door: @unchecked Sendable { var functions: HeifDoor }
  private static let door = Mutex<Door??>(nil)

  static func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    guard let heif = open(), let context = heif.context_alloc() else { throw .needsLibrary(.heif) }
    defer { heif.context_free(context) }
    // libheif reads from these bytes until the picture is decoded.
    let result = bytes.withUnsafeBytes { source -> Result<Bitmap, PictureError> in
      do throws(PictureError) {
        try check(heif.context_read(context, source.baseAddress, source.count, nil))
        var handle: OpaquePointer?
        try check(heif.context_primary(context, &handle))
        guard let handle else { throw .damaged("it contains no image") }
        defer { heif.handle_release(handle) }
        try ConvertibleFormat.check(width: Int(heif.handle_width(handle)), height: Int(heif.handle_height(handle)))
        return .success(try pixels(of: handle, heif))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func pixels(of handle: OpaquePointer, _ heif: HeifDoor) throws(PictureError) -> Bitmap {
    var image: OpaquePointer?
    try check(heif.decode(handle, &image, Int32(heif_colorspace_rgb), Int32(heif_chroma_rgba), nil))
    guard let image else { throw .damaged("it contains no image") }
    defer { heif.image_release(image) }
    let channel = Int32(heif_channel_rgba)
    let (width, height) = (Int(heif.image_width(image, channel)), Int(heif.image_height(image, channel)))
    try ConvertibleFormat.check(width: width, height: height)
    var rowBytes = Int32(0)
    guard let plane = heif.image_plane(image, channel, &rowBytes), Int(rowBytes) >= width * 4 else {
      throw .damaged("it could not be decoded")
    }
    let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
      for row in 0..<height {
        UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[(row * width * 4)...])
          .copyMemory(from: UnsafeRawBufferPointer(start: plane + row * Int(rowBytes), count: width * 4))
      }
      count = width * height * 4
    }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  private static func check(_ error: HeifError) throws(PictureError) {
    guard error.code != 0 else { return }
    let words = error.message.map { String(cString: $0) } ?? "libheif error \(error.code)"
    // Codes 3 and 4: a file type or feature that the library or its build does not support.
    throw error.code == 3 || error.code == 4 ? .unsupported(words) : .damaged(words)
  }

  private static func open() -> HeifDoor? {
    door.withLock { door in
      if let known = door { return known?.functions }
      var functions = HeifDoor()
      let opened = heif_door_open(&functions, "libheif.so.1") == 1 ? Door(functions: functions) : nil
      door = .some(opened)
      return opened?.functions
    }
  }
}

/// The formats that markets do not accept, but that phones and the web use: they are converted to JPEG or PNG.
package enum ConvertibleFormat: String, Hashable, Sendable, CaseIterable {
  case webp
  /// HEIC and AVIF, which share a container.
  case heif

  /// Detects the format by the first bytes; returns `nil` for all others, including JPEG and PNG.
  package static func detect(_ bytes: Data) -> ConvertibleFormat? {
    let view = ByteView(bytes)
    if view.hasPrefix("RIFF", at: 0), view.hasPrefix("WEBP", at: 8) { return .webp }
    guard view.hasPrefix("ftyp", at: 4) else { return nil }
    let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif", "avis"]
    return brands.contains { view.hasPrefix($0, at: 8) } ? .heif : nil
  }

  /// The common name of the format.
  package var name: String {
    switch self {
    case .webp: "WebP"
    case .heif: "HEIC/AVIF"
    }
  }

  /// What it is read with, as Debian packages it.
  package var library: String {
    switch self {
    case .webp: "libwebp7"
    case .heif: "libheif1"
    }
  }

  /// Decodes the picture upright.
  ///
  /// - Throws: ``PictureError/needsLibrary(_:)`` and ``PictureError/tooManyPixels(width:height:)`` before anything is
  ///   decoded; ``PictureError/damaged(_:)`` and ``PictureError/unsupported(_:)``.
  package func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    switch self {
    case .webp: try WebPDecoder.decode(bytes)
    case .heif: try HEIFDecoder.decode(bytes)
    }
  }

  /// Returns true if the file contains a GPS location, as far as it is searched for one.
  ///
  /// The location is removed with all other metadata in any case.
  func hasPosition(_ bytes: Data) -> Bool {
    switch self {
    case .webp: WebPDecoder.exif(bytes)?.hasPosition ?? false
    case .heif: false
    }
  }

  /// Checks the dimensions before decoding.
  static func check(width: Int, height: Int) throws(PictureError) {
    guard width > 0, height > 0 else { throw .damaged("the image is empty") }
    guard width <= PictureHeader.maximumPixelCount / height else { throw .tooManyPixels(width: width, height: height) }
  }
}
