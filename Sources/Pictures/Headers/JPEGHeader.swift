/// Walks a JPEG's segments up to the first scan (ITU T.81, annex B).
enum JPEGHeader {
  static func read(_ view: ByteView) throws(PictureError) -> PictureHeader {
    var header = PictureHeader(
      format: .jpeg, storedWidth: 0, storedHeight: 0, orientation: .upright, hasPosition: false, channels: 0)
    var offset = 2
    var blocks = 0
    while let marker = nextMarker(view, &offset) {
      if hasNoLength(marker) { continue }
      guard let length = view.two(offset), length >= 2, offset + length <= view.count else { break }
      let segment = view.part(offset + 2, length: length - 2)
      switch marker {
      case 0xDA:
        guard header.channels > 0 else { throw .damaged("A scan begins before the size is known") }
        guard view.contains((0xFF, 0xD9), from: offset + length) else {
          throw .damaged("The file is cut short")
        }
        return header
      case 0xE1: note(segment, in: &header, &blocks)
      case _ where isFrame(marker):
        guard let height = segment.two(1), let width = segment.two(3), let channels = segment.byte(5) else { break }
        (header.storedWidth, header.storedHeight, header.channels) = (width, height, channels)
      case _: break
      }
      offset += length
    }
    throw .damaged("The file ends before its picture begins")
  }

  /// Of several Exif blocks a few speak: a crafted file has hundreds, and each would be looked through.
  private static func note(_ segment: ByteView, in header: inout PictureHeader, _ blocks: inout Int) {
    if segment.hasPrefix("Exif\0\0", at: 0) {
      guard blocks < ExifFacts.mostBlocks else { return }
      blocks += 1
      let facts = ExifFacts(segment.part(6, length: segment.count - 6))
      header.orientation = facts.orientation ?? header.orientation
      header.hasPosition = header.hasPosition || facts.hasPosition
    } else if segment.hasPrefix("http://ns.adobe.com/xap/1.0/", at: 0) {
      header.hasPosition = header.hasPosition || segment.contains("GPSLatitude")
    }
  }

  /// Moves `offset` behind the next marker; fill bytes (0xFF) and rubbish between segments are passed over.
  private static func nextMarker(_ view: ByteView, _ offset: inout Int) -> Int? {
    while let byte = view.byte(offset), let next = view.byte(offset + 1) {
      offset += 1
      guard byte == 0xFF, next != 0xFF, next != 0 else { continue }
      offset += 1
      return next
    }
    return nil
  }

  private static func hasNoLength(_ marker: Int) -> Bool {
    marker == 0x01 || (0xD0...0xD9).contains(marker)
  }

  /// SOF0 to SOF15 without DHT, JPG and DAC, which share their range.
  private static func isFrame(_ marker: Int) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }
}
