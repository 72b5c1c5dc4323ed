import Foundation
import Images
import Testing

@Suite struct PictureHeaderTests {
  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0], PictureFormat.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0], .png),
      ([0xFF, 0xD8], nil), ([0x89, 0x50, 0x4E, 0x47, 0x0A], nil), ([], nil), (Array("GIF89a".utf8), nil),
      (Array("<svg/>".utf8), nil), (Array("BM".utf8), nil),
    ] as [([UInt8], PictureFormat?)])
  func `A format is recognized by its first bytes`(bytes: [UInt8], format: PictureFormat?) {
    #expect(PictureFormat.detect(Data(bytes)) == format)
  }

  /// Every scan of a progressive JPEG costs the decoder as much as the whole image.
  @Test func `Scans are counted, and a JPEG with too many is not decoded`() throws {
    #expect(try PictureHeader.read(Samples.gray).scanCount == 1)
    #expect(try PictureHeader.read(ProgressiveJPEG(scanCount: 1).bytes).scanCount == 1)
    let many = ProgressiveJPEG(scanCount: PictureHeader.maximumScanCount).bytes
    #expect(try PictureHeader.read(many).scanCount == PictureHeader.maximumScanCount)
    #expect(try Bitmap(decoding: many).width == 16)
    let tooMany = ProgressiveJPEG(scanCount: PictureHeader.maximumScanCount + 1).bytes
    #expect(throws: PictureError.unsupported(.tooManyScans(33))) { try Bitmap(decoding: tooMany) }
    #expect(throws: PictureError.unsupported(.tooManyScans(33))) { try Bitmap(decoding: tooMany, covering: 8) }
  }

  /// What looks like a marker within a segment is none; what follows the end of the image is another one.
  @Test func `Only scans of the image itself are counted`() throws {
    var jpeg = ProgressiveJPEG(scanCount: 5)
    jpeg.comment = [0xFF, 0xDA, 0xFF, 0xD9, 0xFF, 0xDA]
    #expect(try PictureHeader.read(jpeg.bytes).scanCount == 5)
    #expect(try PictureHeader.read(jpeg.bytes + jpeg.bytes).scanCount == 5)
  }

  @Test(arguments: [
    (Samples.hollowJPEG(width: 65_535, height: 65_535), "too many pixels: 65535x65535"),
    (Samples.hollowJPEG(width: 10_001, height: 10_000), "too many pixels: 10001x10000"),
    (Samples.hollowJPEG(width: 0, height: 10), "damaged"), (Samples.hollowJPEG(width: 10, height: 0), "damaged"),
    (Samples.hollowJPEG(width: 10_000, height: 10_000), "damaged"),
    (CraftedPNG(width: 65_535, height: 65_535, rows: []).bytes, "too many pixels: 65535x65535"),
    (CraftedPNG(width: 0x7FFF_FFFF, height: 0x7FFF_FFFF, rows: []).bytes, "too many pixels: 2147483647x2147483647"),
    (CraftedPNG(width: 0xFFFF_FFFF, height: 1, rows: []).bytes, "too many pixels: 4294967295x1"),
    (CraftedPNG(width: 0, height: 1, rows: []).bytes, "damaged"),
    (CraftedPNG(width: 10_000, height: 10_000, rows: []).bytes, "damaged"),
  ])
  func `A header with excessive dimensions is refused`(bytes: Data, expected: String) {
    #expect(outcome { try Bitmap(decoding: bytes) } == expected)
  }

  @Test(arguments: [true, false], CraftedExif.Place.allCases)
  func `A location is found in JPEG and PNG`(isBigEndian: Bool, place: CraftedExif.Place) throws {
    let exif = CraftedExif(orientation: 6, place: place, isBigEndian: isBigEndian)
    let jpeg = try PictureHeader.read(exif.inserted(into: Samples.gray))
    #expect((jpeg.width, jpeg.height, jpeg.orientation) == (16, 32, .rotatedRight))
    #expect(jpeg.hasGPSLocation == (place == .latitude))
    var crafted = CraftedPNG(width: 2, height: 1, colour: 0, rows: [0, 1, 2])
    crafted.chunks = [("eXIf", exif.bytes)]
    let png = try PictureHeader.read(crafted.bytes)
    #expect((png.width, png.height, png.orientation) == (1, 2, .rotatedRight))
    #expect(png.hasGPSLocation == (place == .latitude))
  }

  /// A block that refers 65,535 times to 65,535 entries must not be read completely.
  @Test(arguments: [(0, 0, true), (510, 0, true), (511, 0, false), (4000, 0, false), (0, 7, true), (0, 8, false)])
  func `At most 512 entries and eight locations of an EXIF block are read`(
    fillers: Int, strayPointers: Int, isFound: Bool
  ) throws {
    let exif = CraftedExif(orientation: 6, place: .latitude, fillers: fillers, strayPointers: strayPointers)
    var crafted = CraftedPNG(width: 2, height: 1, colour: 0, rows: [0, 1, 2])
    crafted.chunks = [("eXIf", exif.bytes)]
    for bytes in [exif.inserted(into: Samples.gray), crafted.bytes] {
      let header = try PictureHeader.read(bytes)
      #expect(header.orientation == .rotatedRight)
      #expect(header.hasGPSLocation == isFound)
    }
  }

  /// An invalid first block does not hide the location in the second one.
  @Test(arguments: [(1, true), (7, true), (8, false)])
  func `A location in a later EXIF block is found`(before count: Int, isFound: Bool) throws {
    let (empty, last) = (CraftedExif(orientation: 3), CraftedExif(orientation: 3, place: .latitude))
    var crafted = CraftedPNG(width: 2, height: 1, colour: 0, rows: [0, 1, 2])
    crafted.chunks = Array(repeating: ("eXIf", empty.bytes), count: count) + [("eXIf", last.bytes)]
    let jpeg = (0..<count).reduce(last.inserted(into: Samples.gray)) { bytes, _ in empty.inserted(into: bytes) }
    for bytes in [jpeg, crafted.bytes] {
      let header = try PictureHeader.read(bytes)
      #expect(header.orientation == .upsideDown)
      #expect(header.hasGPSLocation == isFound)
    }
  }

  @Test func `A location in XMP is found`() throws {
    let xmp = Array("XML:com.adobe.xmp\0\0\0\0\0<x exif:GPSLatitude='37,33N'/>".utf8)
    let png = CraftedPNG(width: 1, height: 1, colour: 0, chunks: [("iTXt", xmp)], rows: [0, 9])
    #expect(try PictureHeader.read(png.bytes).hasGPSLocation)
  }

  @Test(arguments: [0, 9, 65_535])
  func `An invalid orientation counts as none`(number: Int) throws {
    let bytes = CraftedExif(orientation: number).inserted(into: Samples.gray)
    #expect(try PictureHeader.read(bytes).orientation == .upright)
  }

  @Test func `A slice is read from its start index`() throws {
    let bytes = (Data([1, 2, 3]) + Samples.gray).dropFirst(3)
    #expect(try PictureHeader.read(bytes).width == 32)
    #expect(try Bitmap(decoding: bytes) == Bitmap(decoding: Samples.gray))
  }
}
