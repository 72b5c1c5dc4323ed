import Foundation

/// The first frame of a GIF, read without a library (GIF89a, appendices A and F).
enum GIFCodec {
  static func decode(_ bytes: Data) throws(PictureError) -> Bitmap {
    var reader = Reader(ByteView(bytes))
    return try reader.firstFrame()
  }

  private struct Reader {
    private let view: ByteView
    private var offset = 13
    /// The colour that lets what is behind shine through.
    private var clear: Int?

    init(_ view: ByteView) { self.view = view }

    mutating func firstFrame() throws(PictureError) -> Bitmap {
      guard let width = view.two(6, bigEndian: false), let height = view.two(8, bigEndian: false),
        let flags = view.byte(10)
      else { throw Reader.cut }
      try ForeignPicture.check(width: width, height: height)
      let shared = try palette(flags)
      while true {
        switch try next() {
        case 0x21: try passOver()
        case 0x2C: return try frame(on: Bitmap(width: width, height: height, fill: .clear), shared)
        case 0x3B: throw .damaged("it contains no image")
        case _: throw .damaged("it is damaged")
        }
      }
    }

    private static let cut = PictureError.damaged("the file is truncated")

    private mutating func next() throws(PictureError) -> Int {
      guard let byte = view.byte(offset) else { throw Reader.cut }
      offset += 1
      return byte
    }

    private mutating func nextTwo() throws(PictureError) -> Int {
      guard let number = view.two(offset, bigEndian: false) else { throw Reader.cut }
      offset += 2
      return number
    }

    /// Nil where the flags say that there is none.
    private mutating func palette(_ flags: Int) throws(PictureError) -> [Pixel]? {
      guard flags & 0x80 != 0 else { return nil }
      var colours: [Pixel] = []
      for _ in 0..<(2 << (flags & 7)) {
        colours.append(Pixel(UInt8(try next()), UInt8(try next()), UInt8(try next())))
      }
      return colours
    }

    /// An extension: of a graphic control block the transparent colour is kept.
    private mutating func passOver() throws(PictureError) {
      let label = try next()
      let start = offset
      while true {
        let length = try next()
        if length == 0 { break }
        offset += length
      }
      if label == 0xF9, let flags = view.byte(start + 1), let colour = view.byte(start + 4) {
        clear = flags & 1 == 1 ? colour : nil
      }
    }

    private mutating func frame(on ground: Bitmap, _ shared: [Pixel]?) throws(PictureError) -> Bitmap {
      let (left, top) = (try nextTwo(), try nextTwo())
      let (width, height) = (try nextTwo(), try nextTwo())
      let flags = try next()
      guard let colours = try palette(flags) ?? shared else { throw .damaged("it has no color table") }
      try ForeignPicture.check(width: width, height: height)
      let indices = try indices(width * height)
      var picture = ground
      var place = 0
      for row in Reader.rows(height, isInterlaced: flags & 0x40 != 0) {
        for column in 0..<width {
          let index = Int(indices[place])
          place += 1
          guard index != clear, index < colours.count, left + column < picture.width, top + row < picture.height else {
            continue
          }
          picture[left + column, top + row] = colours[index]
        }
      }
      return picture
    }

    /// The rows in the order in which they are stored.
    private static func rows(_ height: Int, isInterlaced: Bool) -> [Int] {
      guard isInterlaced else { return Array(0..<height) }
      return [(0, 8), (4, 8), (2, 4), (1, 2)].flatMap { Array(stride(from: $0.0, to: height, by: $0.1)) }
    }

    /// LZW with codes that grow (appendix F).
    private mutating func indices(_ count: Int) throws(PictureError) -> [UInt8] {
      let bits = try next()
      guard (2...8).contains(bits) else { throw .damaged("it is damaged") }
      var table = CodeTable(bits)
      var codes = CodeReader(view, offset)
      var indices: [UInt8] = []
      indices.reserveCapacity(count)
      while indices.count < count {
        guard let code = codes.next(table.width) else { throw Reader.cut }
        if code == table.clear {
          table = CodeTable(bits)
        } else if code == table.end {
          throw Reader.cut
        } else {
          guard table.take(code, into: &indices) else { throw .damaged("it is damaged") }
        }
      }
      return Array(indices.prefix(count))
    }
  }

  /// Codes of growing width out of blocks of at most 255 bytes, the lowest bit first.
  private struct CodeReader {
    private let view: ByteView
    private var offset: Int
    private var left = 0
    private var held = 0
    private var bits = 0

    init(_ view: ByteView, _ offset: Int) {
      self.view = view
      self.offset = offset
    }

    mutating func next(_ width: Int) -> Int? {
      while bits < width {
        if left == 0 {
          guard let length = view.byte(offset), length > 0 else { return nil }
          (left, offset) = (length, offset + 1)
        }
        guard let byte = view.byte(offset) else { return nil }
        held |= byte << bits
        bits += 8
        offset += 1
        left -= 1
      }
      defer {
        held >>= width
        bits -= width
      }
      return held & ((1 << width) - 1)
    }
  }

  /// What each code stands for: one more colour behind what another code stands for.
  private struct CodeTable {
    private static let most = 4096

    let clear: Int
    var end: Int { clear + 1 }
    private(set) var width: Int
    private var before: [Int]
    private var last: [UInt8]
    private var previous: Int?

    init(_ bits: Int) {
      clear = 1 << bits
      width = bits + 1
      before = [Int](repeating: -1, count: clear + 2)
      last = (0..<clear + 2).map { UInt8(truncatingIfNeeded: $0) }
    }

    /// False for a code that there cannot be.
    mutating func take(_ code: Int, into indices: inout [UInt8]) -> Bool {
      guard code < before.count || code == before.count && previous != nil else { return false }
      if let previous, before.count < CodeTable.most {
        // A code that is not there yet is the previous one with its own first colour behind it.
        last.append(first(of: code < before.count ? code : previous))
        before.append(previous)
        if before.count == 1 << width, width < 12 { width += 1 }
      }
      guard code < before.count else { return false }
      let start = indices.count
      var walk = code
      while walk >= 0 {
        indices.append(last[walk])
        walk = before[walk]
      }
      indices[start...].reverse()
      previous = code
      return true
    }

    private func first(of code: Int) -> UInt8 {
      var walk = code
      while before[walk] >= 0 { walk = before[walk] }
      return last[walk]
    }
  }
}
