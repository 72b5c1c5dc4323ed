/// Parses the chunks of a PNG (PNG specification, third edition, section 5).
enum PNGHeader {
  static func read(_ view: ByteView) throws(PictureError) -> PictureHeader {
    guard view.uint32(8) == 13, view.hasPrefix("IHDR", at: 12),
      let width = view.uint32(16), let height = view.uint32(20), let colour = view.byte(25)
    else { throw .damaged("the file contains no image data") }
    var header = PictureHeader(
      format: .png, storedWidth: width, storedHeight: height, orientation: .upright, hasGPSLocation: false,
      channels: channels(ofColourType: colour))
    var offset = 8
    var blocks = 0
    while let length = view.uint32(offset), offset + 12 + length <= view.count {
      let body = view.slice(offset + 8, length: length)
      // A valid PNG has one; reading hundreds of them would be useless.
      if blocks < EXIFMetadata.maximumBlocks, view.hasPrefix("eXIf", at: offset + 4) {
        blocks += 1
        let facts = EXIFMetadata(body)
        header.orientation = facts.orientation ?? header.orientation
        header.hasGPSLocation = header.hasGPSLocation || facts.hasPosition
      } else if view.hasPrefix("iTXt", at: offset + 4), body.hasPrefix("XML:com.adobe.xmp", at: 0) {
        header.hasGPSLocation = header.hasGPSLocation || body.contains("GPSLatitude")
      }
      offset += 12 + length
    }
    return header
  }

  private static func channels(ofColourType type: Int) -> Int {
    switch type {
    case 2: 3
    case 4: 2
    case 6: 4
    case _: 1
    }
  }
}
