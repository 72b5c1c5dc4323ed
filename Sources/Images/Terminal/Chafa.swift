import CChafa
import Foundation
import Synchronization

/// The functions of libchafa, loaded when a picture is first rendered, so that the program starts without it.
package struct Chafa: Sendable {
  /// The library of Debian's package libchafa0.
  package static let name = "libchafa.so.0"

  // The functions of a loaded library may be called from any thread.
  private struct Functions: @unchecked Sendable { var functions: ChafaFunctions }

  private static let opened = Mutex<[String: Functions?]>([:])
  private let loaded: Functions

  /// Loads the library; returns `nil` if it is missing or too old.
  static func open(_ name: String) -> Chafa? {
    opened.withLock { opened in
      if let known = opened[name] { return known.map { Chafa(loaded: $0) } }
      var functions = ChafaFunctions()
      let loaded = chafa_load(&functions, name) == 1 ? Functions(functions: functions) : nil
      opened[name] = .some(loaded)
      return loaded.map { Chafa(loaded: $0) }
    }
  }

  /// Renders the bitmap in exactly the given number of cells; returns `nil` if the library fails.
  func draw(
    _ bitmap: Bitmap, columns: Int, rows: Int, cell: TerminalPictureRenderer.Cell, graphics: TerminalGraphicsProtocol
  ) -> String? {
    let chafa = loaded.functions
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
    let mode = graphics == .blocks256 ? chafa_mode_indexed_240 : chafa_mode_truecolor
    chafa.config_set_canvas_mode(settings, Int32(mode))
    chafa.config_set_pixel_mode(settings, graphics.pixels)
    guard let canvas = chafa.canvas_new(settings), let terminals = chafa.term_db_get_default(),
      let terminal = chafa.term_db_get_fallback_info(terminals)
    else { return nil }
    defer {
      chafa.canvas_unref(canvas)
      chafa.term_info_unref(terminal)
    }
    let picture = bitmap.composited()
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
