/// Walks a PNG's chunks (PNG specification, third edition, section 5).
enum PNGHeader {
  static func read(_ view: ByteView) throws(PictureError) -> PictureHeader {
    guard view.four(8) == 13, view.hasPrefix("IHDR", at: 12),
      let width = view.four(16), let height = view.four(20), let colour = view.byte(25)
    else { throw .damaged("The file ends before its picture begins") }
    var header = PictureHeader(
      format: .png, storedWidth: width, storedHeight: height, orientation: .upright, hasPosition: false,
      channels: channels(ofColourType: colour))
    var offset = 8
    var blocks = 0
    while let length = view.four(offset), offset + 12 + length <= view.count {
      let body = view.part(offset + 8, length: length)
      // A PNG has one; hundreds of them would be read for nothing.
      if blocks < ExifFacts.mostBlocks, view.hasPrefix("eXIf", at: offset + 4) {
        blocks += 1
        let facts = ExifFacts(body)
        header.orientation = facts.orientation ?? header.orientation
        header.hasPosition = header.hasPosition || facts.hasPosition
      } else if view.hasPrefix("iTXt", at: offset + 4), body.hasPrefix("XML:com.adobe.xmp", at: 0) {
        header.hasPosition = header.hasPosition || body.contains("GPSLatitude")
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
