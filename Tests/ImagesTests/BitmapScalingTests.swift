import Foundation
import Images
import Testing

@Suite struct BitmapScalingTests {
  @Test func `A pixel of a smaller picture is the mean of the area it covers`() {
    var bitmap = Bitmap(width: 3, height: 2, fill: .black)
    bitmap[0, 0] = Pixel(red: 90, green: 0, blue: 0)
    bitmap[1, 0] = Pixel(red: 60, green: 30, blue: 0)
    bitmap[2, 1] = Pixel(red: 0, green: 0, blue: 200)
    let row = bitmap.scaled(width: 2, height: 1)
    #expect([row[0, 0], row[1, 0]] == [Pixel(red: 40, green: 5, blue: 0), Pixel(red: 10, green: 5, blue: 67)])
  }

  @Test func `Transparent pixels do not change the colours around them`() {
    var bitmap = Bitmap(width: 2, height: 1, fill: Pixel(red: 255, green: 0, blue: 0, alpha: 0))
    bitmap[1, 0] = Pixel(red: 0, green: 0, blue: 100)
    #expect(bitmap.scaled(width: 1, height: 1)[0, 0] == Pixel(red: 0, green: 0, blue: 100, alpha: 128))
  }

  @Test(arguments: [
    (100, 50, 10, 10, 5), (50, 100, 10, 5, 10), (8, 4, 10, 8, 4), (1000, 1, 10, 10, 1), (3, 2, 0, 3, 2),
  ])
  func `A picture is never enlarged`(width: Int, height: Int, side: Int, newWidth: Int, newHeight: Int) {
    let bitmap = Bitmap(width: width, height: height, fill: .white).scaled(toFit: side)
    #expect(bitmap == Bitmap(width: newWidth, height: newHeight, fill: .white))
  }

  @Test func `Transparency is blended with white`() {
    #expect(
      Bitmap(width: 1, height: 1, fill: Pixel(red: 255, green: 0, blue: 0, alpha: 128)).composited()[0, 0]
        == Pixel(red: 255, green: 127, blue: 127))
  }

  @Test func `An encoded PNG is decoded to the same pixels`() throws {
    for opaque in [true, false] {
      let bitmap = Samples.noise(width: 33, height: 7, opaque: opaque)
      #expect(try Bitmap(decoding: bitmap.png()) == bitmap)
    }
  }

  @Test func `A thumbnail keeps aspect ratio and transparency`() throws {
    let opaque = try Thumbnail.make(Samples.noise(width: 640, height: 320, grain: 9).jpeg(quality: 90), side: 100)
    #expect(PictureFormat.detect(opaque) == .jpeg)
    let header = try PictureHeader.read(opaque)
    #expect((header.width, header.height) == (100, 50))
    let clear = try Thumbnail.make(Bitmap(width: 64, height: 64).png(), side: 16)
    #expect(try Bitmap(decoding: clear) == Bitmap(width: 16, height: 16))
  }
}
