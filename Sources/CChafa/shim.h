// Declarations of libchafa (1.8 and later, soname 0) from chafa-canvas.h, chafa-canvas-config.h, chafa-symbol-map.h,
// chafa-term-db.h and chafa-common.h. The library is loaded with dlopen when a picture is first drawn: it costs nothing
// at startup, and its absence is not an error.
#ifndef OPENMARKET_CCHAFA_H
#define OPENMARKET_CCHAFA_H

#include <dlfcn.h>
#include <stddef.h>

typedef struct ChafaCanvas ChafaCanvas;
typedef struct ChafaCanvasConfig ChafaCanvasConfig;
typedef struct ChafaSymbolMap ChafaSymbolMap;
typedef struct ChafaTermDb ChafaTermDb;
typedef struct ChafaTermInfo ChafaTermInfo;

// The layout of GLib's GString.
typedef struct ChafaText {
  char *bytes;
  size_t length;
  size_t capacity;
} ChafaText;

enum { chafa_mode_truecolor = 0, chafa_mode_indexed_240 = 2 };
enum { chafa_pixels_symbols = 0, chafa_pixels_sixels = 1, chafa_pixels_kitty = 2, chafa_pixels_iterm2 = 3 };
enum { chafa_rgba8_unassociated = 4 };
enum {
  chafa_tag_space = 1 << 0,
  chafa_tag_solid = 1 << 1,
  chafa_tag_half = (1 << 8) | (1 << 9),
};

// The functions of the loaded library.
typedef struct ChafaFunctions {
  ChafaSymbolMap *(*symbol_map_new)(void);
  void (*symbol_map_add_by_tags)(ChafaSymbolMap *, int tags);
  void (*symbol_map_unref)(ChafaSymbolMap *);
  ChafaCanvasConfig *(*config_new)(void);
  void (*config_unref)(ChafaCanvasConfig *);
  void (*config_set_geometry)(ChafaCanvasConfig *, int columns, int rows);
  void (*config_set_cell_geometry)(ChafaCanvasConfig *, int width, int height);
  void (*config_set_canvas_mode)(ChafaCanvasConfig *, int mode);
  void (*config_set_pixel_mode)(ChafaCanvasConfig *, int mode);
  void (*config_set_symbol_map)(ChafaCanvasConfig *, const ChafaSymbolMap *);
  ChafaCanvas *(*canvas_new)(const ChafaCanvasConfig *);
  void (*canvas_unref)(ChafaCanvas *);
  void (*canvas_draw_all_pixels)(
      ChafaCanvas *, int type, const unsigned char *pixels, int width, int height, int row_bytes);
  ChafaText *(*canvas_print)(ChafaCanvas *, ChafaTermInfo *);
  ChafaTermDb *(*term_db_get_default)(void);
  ChafaTermInfo *(*term_db_get_fallback_info)(ChafaTermDb *);
  void (*term_info_unref)(ChafaTermInfo *);
  // g_string_free of GLib.
  char *(*text_free)(ChafaText *, int also_bytes);
} ChafaFunctions;

// Loads the library and all functions; returns 0 if one is missing. The library is never unloaded.
static inline int chafa_load(ChafaFunctions *loaded, const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  struct { void **place; const char *symbol; } wanted[] = {
    {(void **)&loaded->symbol_map_new, "chafa_symbol_map_new"},
    {(void **)&loaded->symbol_map_add_by_tags, "chafa_symbol_map_add_by_tags"},
    {(void **)&loaded->symbol_map_unref, "chafa_symbol_map_unref"},
    {(void **)&loaded->config_new, "chafa_canvas_config_new"},
    {(void **)&loaded->config_unref, "chafa_canvas_config_unref"},
    {(void **)&loaded->config_set_geometry, "chafa_canvas_config_set_geometry"},
    {(void **)&loaded->config_set_cell_geometry, "chafa_canvas_config_set_cell_geometry"},
    {(void **)&loaded->config_set_canvas_mode, "chafa_canvas_config_set_canvas_mode"},
    {(void **)&loaded->config_set_pixel_mode, "chafa_canvas_config_set_pixel_mode"},
    {(void **)&loaded->config_set_symbol_map, "chafa_canvas_config_set_symbol_map"},
    {(void **)&loaded->canvas_new, "chafa_canvas_new"},
    {(void **)&loaded->canvas_unref, "chafa_canvas_unref"},
    {(void **)&loaded->canvas_draw_all_pixels, "chafa_canvas_draw_all_pixels"},
    {(void **)&loaded->canvas_print, "chafa_canvas_print"},
    {(void **)&loaded->term_db_get_default, "chafa_term_db_get_default"},
    {(void **)&loaded->term_db_get_fallback_info, "chafa_term_db_get_fallback_info"},
    {(void **)&loaded->term_info_unref, "chafa_term_info_unref"},
    {(void **)&loaded->text_free, "g_string_free"},
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].place = dlsym(library, wanted[i].symbol);
    if (!*wanted[i].place) return 0;
  }
  return 1;
}

#endif
