import CPhonePictures
import Foundation
import Synchronization

/// The HEIC and AVIF decoder of libheif, loaded at the first use.
///
/// The library applies the orientation itself.
enum HEIFDecoder {
  private struct Functions: @unchecked Sendable { var functions: HEIFFunctions }
  private static let loaded = Mutex<Functions??>(nil)

  static func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    guard let heif = open(), let context = heif.context_alloc() else { throw .needsLibrary(.heif) }
    defer { heif.context_free(context) }
    // libheif reads from these bytes until the picture is decoded.
    let result = bytes.withUnsafeBytes { source -> Result<Bitmap, PictureError> in
      do throws(PictureError) {
        try check(heif.context_read(context, source.baseAddress, source.count, nil))
        var handle: OpaquePointer?
        try check(heif.context_primary(context, &handle))
        guard let handle else { throw .damaged(.noImage) }
        defer { heif.handle_release(handle) }
        try ConvertibleFormat.check(width: Int(heif.handle_width(handle)), height: Int(heif.handle_height(handle)))
        return .success(try pixels(of: handle, heif))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private static func pixels(of handle: OpaquePointer, _ heif: HEIFFunctions) throws(PictureError) -> Bitmap {
    var image: OpaquePointer?
    try check(heif.decode(handle, &image, Int32(heif_colorspace_rgb), Int32(heif_chroma_rgba), nil))
    guard let image else { throw .damaged(.noImage) }
    defer { heif.image_release(image) }
    let channel = Int32(heif_channel_rgba)
    let (width, height) = (Int(heif.image_width(image, channel)), Int(heif.image_height(image, channel)))
    try ConvertibleFormat.check(width: width, height: height)
    var rowBytes = Int32(0)
    guard let plane = heif.image_plane(image, channel, &rowBytes), Int(rowBytes) >= width * 4 else {
      throw .damaged(.undecodable)
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
    let fault = error.message.map { PictureFault.library(String(cString: $0)) } ?? .libheif(code: Int(error.code))
    // Codes 3 and 4: a file type or feature that the library or its build does not support.
    throw error.code == 3 || error.code == 4 ? .unsupported(fault) : .damaged(fault)
  }

  private static func open() -> HEIFFunctions? {
    loaded.withLock { loaded in
      if let known = loaded { return known?.functions }
      var functions = HEIFFunctions()
      let opened = heif_load(&functions, "libheif.so.1") == 1 ? Functions(functions: functions) : nil
      loaded = .some(opened)
      return opened?.functions
    }
  }
}
