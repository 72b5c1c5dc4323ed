import CChafa
import Foundation
import Synchronization

/// libchafa behind a small door, opened when a picture is first drawn: it costs nothing at the start.
package struct Chafa: Sendable {
  /// The library of Debian's package libchafa0.
  package static let name = "libchafa.so.0"

  // The functions of a library that stays open are the same for every thread.
  private struct Door: @unchecked Sendable { var functions: ChafaDoor }

  private static let opened = Mutex<[String: Door?]>([:])
  private let door: Door

  /// Nil where the library is missing or too old.
  static func open(_ name: String) -> Chafa? {
    opened.withLock { opened in
      if let known = opened[name] { return known.map { Chafa(door: $0) } }
      var functions = ChafaDoor()
      let door = chafa_door_open(&functions, name) == 1 ? Door(functions: functions) : nil
      opened[name] = .some(door)
      return door.map { Chafa(door: $0) }
    }
  }

  /// The bitmap in exactly so many cells; nil when the library gives nothing.
  func draw(_ bitmap: Bitmap, columns: Int, rows: Int, cell: PicturePainter.Cell, way: PictureProtocol) -> String? {
    let chafa = door.functions
    guard let symbols = chafa.symbol_map_new(), let settings = chafa.config_new() else { return nil }
    defer {
      chafa.symbol_map_unref(symbols)
      chafa.config_unref(settings)
    }
    for tag in [chafa_tag_space, chafa_tag_solid, chafa_tag_half] {
      chafa.symbol_map_add_by_tags(symbols, Int32(tag))
    }
    chafa.config_set_symbol_map(settings, symbols)
    chafa.config_set_geometry(settings, Int32(columns), Int32(rows))
    chafa.config_set_cell_geometry(settings, Int32(cell.width), Int32(cell.height))
    let mode = way == .blocks256 ? chafa_mode_indexed_240 : chafa_mode_truecolor
    chafa.config_set_canvas_mode(settings, Int32(mode))
    chafa.config_set_pixel_mode(settings, way.pixels)
    guard let canvas = chafa.canvas_new(settings), let terminals = chafa.term_db_get_default(),
      let terminal = chafa.term_db_get_fallback_info(terminals)
    else { return nil }
    defer {
      chafa.canvas_unref(canvas)
      chafa.term_info_unref(terminal)
    }
    let picture = bitmap.flattened()
    picture.pixels.withUnsafeBufferPointer { pixels in
      chafa.canvas_draw_all_pixels(
        canvas, Int32(chafa_rgba8_unassociated), pixels.baseAddress, Int32(picture.width),
        Int32(picture.height), Int32(picture.width * 4))
    }
    guard let text = chafa.canvas_print(canvas, terminal) else { return nil }
    defer { _ = chafa.text_free(text, 1) }
    let bytes = UnsafeRawBufferPointer(start: text.pointee.bytes, count: text.pointee.length)
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }
}

extension PictureProtocol {
  /// The library's number of a way to send pixels.
  fileprivate var pixels: Int32 {
    switch self {
    case .kitty: Int32(chafa_pixels_kitty)
    case .iterm2: Int32(chafa_pixels_iterm2)
    case .sixel: Int32(chafa_pixels_sixels)
    case .blocks, .blocks256: Int32(chafa_pixels_symbols)
    }
  }
}
