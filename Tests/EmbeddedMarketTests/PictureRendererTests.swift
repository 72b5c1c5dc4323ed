import Foundation
import Glibc
import Images
import TestSupport
import Testing

@testable import EmbeddedMarket

/// Thumbnails of uploaded pictures.
@Suite(.timeLimit(Trial.limit)) struct PictureRendererTests {
  static let picture =
    (try? Bitmap(width: 300, height: 150, fill: Pixel(red: 200, green: 40, blue: 40)).png()) ?? Data()

  /// A picture with too many pixels is not decoded: it is its own thumbnail, like a file that is no picture.
  @Test(arguments: [(300 * 150, 240), (300 * 150 - 1, 300)])
  func pictureWithTooManyPixelsIsNotDecoded(_ maximum: Int, _ width: Int) throws {
    let thumbnail = PictureRenderer(maximumPixelCount: maximum).thumbnail(of: Self.picture)
    #expect(try PictureHeader.read(thumbnail).width == width)
    let text = Data("no picture".utf8)
    #expect(PictureRenderer(maximumPixelCount: maximum).thumbnail(of: text) == text)
  }

  /// Long work runs on threads with a lower priority than those of the readers.
  @Test func renderingHasLowPriority() async throws {
    let priority = __priority_which_t(PRIO_PROCESS.rawValue)
    let here = getpriority(priority, 0)
    let there = try await BackgroundThreads.uploads.run { getpriority(priority, 0) }
    #expect(there == max(here, 10))
  }
}
