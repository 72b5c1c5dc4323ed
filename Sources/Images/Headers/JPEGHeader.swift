/// Parses the segments of a JPEG up to the first scan, and counts the scans (ITU T.81, annex B).
enum JPEGHeader {
  static func read(_ view: ByteView) throws(PictureError) -> PictureHeader {
    var header = PictureHeader(
      format: .jpeg, storedWidth: 0, storedHeight: 0, orientation: .upright, hasGPSLocation: false, channels: 0)
    var offset = 2
    var blocks = 0
    while let marker = nextMarker(view, &offset) {
      if hasNoLength(marker) { continue }
      guard let length = view.uint16(offset), length >= 2, offset + length <= view.count else { break }
      let segment = view.slice(offset + 2, length: length - 2)
      switch marker {
      case 0xDA:
        guard header.channels > 0 else { throw .damaged(.scanBeforeSize) }
        guard view.contains((0xFF, 0xD9), from: offset + length) else {
          throw .damaged(.truncated)
        }
        header.scanCount = 1 + scanCount(view, from: offset + length)
        return header
      case 0xE1: readAPP1(segment, in: &header, &blocks)
      case _ where isStartOfFrame(marker):
        guard let height = segment.uint16(1), let width = segment.uint16(3), let channels = segment.byte(5) else {
          break
        }
        (header.storedWidth, header.storedHeight, header.channels) = (width, height, channels)
      case _: break
      }
      offset += length
    }
    throw .damaged(.noData)
  }

  /// Reads an APP1 segment.
  ///
  /// Only the first Exif blocks are read, because a crafted file has hundreds of them.
  private static func readAPP1(_ segment: ByteView, in header: inout PictureHeader, _ blocks: inout Int) {
    if segment.hasPrefix("Exif\0\0", at: 0) {
      guard blocks < EXIFMetadata.maximumBlocks else { return }
      blocks += 1
      let facts = EXIFMetadata(segment.slice(6, length: segment.count - 6))
      header.orientation = facts.orientation ?? header.orientation
      header.hasGPSLocation = header.hasGPSLocation || facts.hasPosition
    } else if segment.hasPrefix("http://ns.adobe.com/xap/1.0/", at: 0) {
      header.hasGPSLocation = header.hasGPSLocation || segment.contains("GPSLatitude")
    }
  }

  /// Returns the number of scans from `start`, an offset within the data of a scan, to the end of the image.
  ///
  /// Segments between scans are passed over by their length, as decoders do.
  private static func scanCount(_ view: ByteView, from start: Int) -> Int {
    var (offset, count) = (start, 0)
    while let marker = view.nextMarker(&offset), marker != 0xD9 {
      if hasNoLength(marker) { continue }
      if marker == 0xDA { count += 1 }
      guard let length = view.uint16(offset), length >= 2 else { break }
      offset += length
    }
    return count
  }

  /// Moves `offset` after the next marker.
  ///
  /// Fill bytes (0xFF) and invalid bytes between segments are skipped.
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

  /// Returns true for SOF0 to SOF15 without DHT, JPG and DAC, which share the range.
  private static func isStartOfFrame(_ marker: Int) -> Bool {
    (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
  }
}

/// Parses the chunks of a PNG (PNG specification, third edition, section 5).
enum PNGHeader {
  static func read(_ view: ByteView) throws(PictureError) -> PictureHeader {
    guard view.uint32(8) == 13, view.hasPrefix("IHDR", at: 12),
      let width = view.uint32(16), let height = view.uint32(20), let colour = view.byte(25)
    else { throw .damaged(.noData) }
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
