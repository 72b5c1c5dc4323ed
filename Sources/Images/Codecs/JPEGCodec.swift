import CTurboJPEG
import Foundation

/// The JPEG codec of TurboJPEG, which reports errors as values (libjpeg itself would `longjmp` over Swift frames).
enum JPEGCodec {
  /// Decodes at `eighths`/8 of the stored size (1...8, rounded up), which saves time and memory.
  ///
  /// Throws ``PictureError/damaged(_:)`` for a truncated or damaged file, because half a picture must not be sent, and
  /// ``PictureError/unsupported(_:)`` for one with too many scans.
  static func decode(_ bytes: Data, header: PictureHeader, eighths: Int = 8) throws(PictureError) -> Bitmap {
    guard header.scanCount <= PictureHeader.maximumScanCount else {
      throw .unsupported(.tooManyScans(header.scanCount))
    }
    guard let decoder = tjInitDecompress() else { throw .unsupported(.noTurboJPEG) }
    defer { tjDestroy(decoder) }
    let width = (header.storedWidth * eighths + 7) / 8
    let height = (header.storedHeight * eighths + 7) / 8
    let isCMYK = header.channels == 4
    let format = isCMYK ? TJPF_CMYK : TJPF_RGBA
    // A decoder that continues after a warning spends hours on a crafted file.
    let careful = TJFLAG_LIMITSCANS | TJFLAG_STOPONWARNING
    var failure: String?
    var pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { buffer, count in
      buffer.initialize(repeating: 0)
      count = width * height * 4
      failure = decode(
        decoder, bytes: bytes, buffer: buffer, width: width, height: height, format: format, flags: careful)
      // The cameras of several makers write extraneous bytes before a marker; every viewer shows such pictures.
      if failure?.contains("extraneous bytes before marker") == true {
        failure = decode(
          decoder, bytes: bytes, buffer: buffer, width: width, height: height, format: format, flags: TJFLAG_LIMITSCANS)
      }
    }
    if let failure {
      throw failure.contains("nsupported") ? .unsupported(.library(failure)) : .damaged(.library(failure))
    }
    if isCMYK { convertFromCMYK(&pixels) }
    return Bitmap(width: width, height: height, pixels: pixels)
  }

  /// Decodes into the buffer.
  ///
  /// Returns `nil` on success or the message of the library. A tolerated warning is a success.
  private static func decode(
    _ decoder: tjhandle, bytes: Data, buffer: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int,
    format: TJPF, flags: Int32
  ) -> String? {
    let outcome = bytes.withUnsafeBytes { source in
      tjDecompress2(
        decoder, source.bindMemory(to: UInt8.self).baseAddress, UInt(source.count), buffer.baseAddress, Int32(width),
        Int32(width * 4), Int32(height), Int32(format.rawValue), flags)
    }
    let isTolerated =
      flags & TJFLAG_STOPONWARNING == 0 && tjGetErrorCode(decoder) == Int32(TJERR_WARNING.rawValue)
    return outcome == 0 || isTolerated ? nil : String(cString: tjGetErrorStr2(decoder))
  }

  /// CMYK JPEGs are stored inverted, as Photoshop introduced it and browsers read them: 255 is no ink.
  private static func convertFromCMYK(_ pixels: inout [UInt8]) {
    pixels.withUnsafeMutableBufferPointer { bytes in
      var at = 0
      while at < bytes.count {
        let black = Int(bytes[at + 3])
        for channel in 0..<3 { bytes[at + channel] = UInt8((Int(bytes[at + channel]) * black + 127) / 255) }
        bytes[at + 3] = 255
        at += 4
      }
    }
  }

  /// Encodes with 4:2:0 chroma subsampling, ignoring alpha (see ``Bitmap/composited(on:)``); `quality` is 1...100.
  static func encode(_ bitmap: Bitmap, quality: Int) throws(PictureError) -> Data {
    guard let encoder = tjInitCompress() else { throw .unsupported(.noTurboJPEG) }
    defer { tjDestroy(encoder) }
    var bytes: UnsafeMutablePointer<UInt8>?
    defer { tjFree(bytes) }
    var size: UInt = 0
    let outcome = bitmap.pixels.withUnsafeBufferPointer { source in
      tjCompress2(
        encoder, source.baseAddress, Int32(bitmap.width), Int32(bitmap.width * 4), Int32(bitmap.height),
        Int32(TJPF_RGBX.rawValue), &bytes, &size, Int32(TJSAMP_420.rawValue), Int32(min(max(quality, 1), 100)), 0)
    }
    guard outcome == 0, let bytes else { throw .encodingFailed(.library(String(cString: tjGetErrorStr2(encoder)))) }
    return Data(bytes: bytes, count: Int(size))
  }
}
