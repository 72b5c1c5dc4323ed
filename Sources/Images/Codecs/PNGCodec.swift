import CPNG
import Foundation

/// The PNG codec of libpng's simplified interface, which reports errors as values and converts every kind of PNG
/// (palette, gray, 16 bits, interlaced) to the requested format.
enum PNGCodec {
  static func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    var size = (width: 0, height: 0)
    let pixels = try read(bytes, as: formatRGBA, bytesPerPixel: 4) { size = ($0, $1) }
    return Bitmap(width: size.width, height: size.height, pixels: pixels)
  }

  /// Decodes the complete picture without storing it, in a quarter of the memory.
  static func verify(_ bytes: Data) throws(PictureError) {
    _ = try read(bytes, as: formatGray, bytesPerPixel: 1) { _, _ in }
  }

  private static func read(
    _ bytes: Data, as format: UInt32, bytesPerPixel: Int, size: (Int, Int) -> Void
  ) throws(PictureError) -> [UInt8] {
    // libpng stores this address between the calls.
    let image = UnsafeMutablePointer<png_image>.allocate(capacity: 1)
    image.initialize(to: png_image())
    image.pointee.version = UInt32(PNG_IMAGE_VERSION)
    defer {
      png_image_free(image)
      image.deallocate()
    }
    let result = bytes.withUnsafeBytes { source -> Result<[UInt8], PictureError> in
      guard png_image_begin_read_from_memory(image, source.baseAddress, source.count) != 0 else {
        return .failure(.damaged(.library(message(image.pointee))))
      }
      let (width, height) = (Int(image.pointee.width), Int(image.pointee.height))
      guard width > 0, height > 0, width <= PictureHeader.maximumPixelCount / height else {
        return .failure(.tooManyPixels(width: width, height: height))
      }
      image.pointee.format = format
      // 16-bit files without a declared color space are sRGB in practice; libpng would treat them as linear.
      image.pointee.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
      var isRead = false
      let pixels = [UInt8](unsafeUninitializedCapacity: width * height * bytesPerPixel) { buffer, count in
        buffer.initialize(repeating: 0)
        count = width * height * bytesPerPixel
        // Converting to gray composites over a color; which one does not matter for verification.
        var ground = png_color(red: 255, green: 255, blue: 255)
        isRead =
          png_image_finish_read(image, &ground, buffer.baseAddress, Int32(width * bytesPerPixel), nil) != 0
      }
      guard isRead else { return .failure(.damaged(.library(message(image.pointee)))) }
      size(width, height)
      return .success(pixels)
    }
    return try result.get()
  }

  /// Encodes with transparency, or as RGB if there is none.
  static func encode(_ bitmap: Bitmap) throws(PictureError) -> Data {
    let isOpaque = !bitmap.hasTransparency
    let pixels = isOpaque ? withoutAlpha(bitmap.pixels) : bitmap.pixels
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    image.width = UInt32(bitmap.width)
    image.height = UInt32(bitmap.height)
    image.format = isOpaque ? formatRGB : formatRGBA
    defer { png_image_free(&image) }
    // zlib adds less than 0.2 % to incompressible data, libpng twelve bytes per 8 KiB.
    var size = pixels.count + pixels.count / 64 + bitmap.height + 65_536
    guard let memory = malloc(size) else { throw .encodingFailed(.noMemory) }
    defer { free(memory) }
    let outcome = pixels.withUnsafeBytes { source in
      png_image_write_to_memory(&image, memory, &size, 0, source.baseAddress, 0, nil)
    }
    guard outcome != 0 else { throw .encodingFailed(.library(message(image))) }
    return Data(bytes: memory, count: size)
  }

  private static func withoutAlpha(_ pixels: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: pixels.count / 4 * 3) { target, count in
      count = pixels.count / 4 * 3
      pixels.withUnsafeBufferPointer { source in
        var (from, to) = (0, 0)
        while to < count {
          target[to] = source[from]
          target[to + 1] = source[from + 1]
          target[to + 2] = source[from + 2]
          from += 4
          to += 3
        }
      }
    }
  }

  // The macros of png.h that define these are too complex to be imported.
  private static let formatGray: UInt32 = 0
  private static let formatRGB = UInt32(PNG_FORMAT_FLAG_COLOR)
  private static let formatRGBA = UInt32(PNG_FORMAT_FLAG_COLOR) | UInt32(PNG_FORMAT_FLAG_ALPHA)

  private static func message(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
