import Foundation
import Images

/// Returns the result of decoding in one comparable line, without the decoder's message.
func outcome(_ attempt: () throws -> Bitmap) -> String {
  do {
    let bitmap = try attempt()
    return "\(bitmap.width)x\(bitmap.height)"
  } catch let error as PictureError {
    switch error {
    case .damaged: return "damaged"
    case .unsupported: return "unsupported"
    case .notAPicture: return "not a picture"
    case .tooManyPixels(let width, let height): return "too many pixels: \(width)x\(height)"
    case .tooLargeToDisplay(let width, let height): return "too many to show: \(width)x\(height)"
    case .gif, .notFound, .unreadable, .notARegularFile, .tooLarge, .cannotFit, .encodingFailed, .needsLibrary:
      return "\(error)"
    }
  } catch {
    return "\(error)"
  }
}

/// Returns the largest difference of any channel from `colour`.
func difference(_ pixel: Pixel, _ colour: Pixel) -> Int {
  [
    abs(Int(pixel.red) - Int(colour.red)), abs(Int(pixel.green) - Int(colour.green)),
    abs(Int(pixel.blue) - Int(colour.blue)), abs(Int(pixel.alpha) - Int(colour.alpha)),
  ].reduce(0, max)
}
