import Foundation

/// An EXIF block with an orientation and optionally a location.
struct CraftedExif {
  enum Place: CaseIterable { case none, versionOnly, latitude }

  var orientation: Int
  var place = Place.none
  var isBigEndian = true
  /// The number of meaningless entries before the pointer to the location.
  var fillers = 0
  /// The number of invalid pointers before the one to the location.
  var strayPointers = 0

  var bytes: [UInt8] {
    var entries: [[UInt8]] = [two(0x0112) + two(3) + four(1) + two(orientation) + two(0)]
    let filler: [UInt8] = two(0x010F) + two(4) + four(1) + four(0)
    entries += Array(repeating: filler, count: fillers)
    entries += Array(repeating: pointer(0x7FFF_FFFF), count: strayPointers)
    let after = 8 + 2 + (entries.count + 1) * 12 + 4
    if place != .none { entries.append(pointer(after)) }
    let mark: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 0x2A] : [0x49, 0x49, 0x2A, 0]
    let directory = two(entries.count) + entries.flatMap { $0 } + four(0)
    return mark + four(8) + directory + position
  }

  private func pointer(_ offset: Int) -> [UInt8] { two(0x8825) + two(4) + four(1) + four(offset) }

  private var position: [UInt8] {
    switch place {
    case .none: []
    case .versionOnly: two(1) + two(0) + two(1) + four(4) + [2, 3, 0, 0] + four(0)
    case .latitude: two(1) + two(2) + two(5) + four(3) + four(0) + four(0)
    }
  }

  /// Returns the JPEG with this block as its first segment.
  func inserted(into jpeg: Data) -> Data {
    let body = Array("Exif\0\0".utf8) + bytes
    let length = body.count + 2
    return jpeg.prefix(2) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + body + jpeg.dropFirst(2)
  }

  private func two(_ number: Int) -> [UInt8] {
    let bytes = [UInt8(number >> 8 & 255), UInt8(number & 255)]
    return isBigEndian ? bytes : bytes.reversed()
  }

  private func four(_ number: Int) -> [UInt8] {
    let bytes = CraftedPNG.four(number)
    return isBigEndian ? bytes : bytes.reversed()
  }
}
