// Declarations of libwebp (soname 7, decode.h) and of libheif (1.6 and later, soname 1, heif.h). The libraries are
// loaded with dlopen when such a picture is first read: they cost nothing at startup, and their absence is not an error
// of the program.
#ifndef OPENMARKET_CPHONEPICTURES_H
#define OPENMARKET_CPHONEPICTURES_H

#include <dlfcn.h>
#include <stddef.h>

typedef struct WebPFunctions {
  int (*get_info)(const unsigned char *bytes, size_t size, int *width, int *height);
  unsigned char *(*decode_rgba_into)(
      const unsigned char *bytes, size_t size, unsigned char *pixels, size_t room, int row_bytes);
} WebPFunctions;

typedef struct HeifContext HeifContext;
typedef struct HeifHandle HeifHandle;
typedef struct HeifImage HeifImage;

typedef struct HeifError {
  int code;
  int subcode;
  const char *message;
} HeifError;

enum { heif_colorspace_rgb = 1, heif_chroma_rgba = 11, heif_channel_rgba = 10 };

typedef struct HEIFFunctions {
  HeifContext *(*context_alloc)(void);
  void (*context_free)(HeifContext *);
  HeifError (*context_read)(HeifContext *, const void *bytes, size_t size, const void *options);
  HeifError (*context_primary)(HeifContext *, HeifHandle **);
  void (*handle_release)(const HeifHandle *);
  int (*handle_width)(const HeifHandle *);
  int (*handle_height)(const HeifHandle *);
  HeifError (*decode)(const HeifHandle *, HeifImage **, int colorspace, int chroma, const void *options);
  void (*image_release)(const HeifImage *);
  int (*image_width)(const HeifImage *, int channel);
  int (*image_height)(const HeifImage *, int channel);
  const unsigned char *(*image_plane)(const HeifImage *, int channel, int *row_bytes);
} HEIFFunctions;

typedef struct PhoneSymbol {
  void **place;
  const char *name;
} PhoneSymbol;

// Loads a library and all functions; returns 0 if one is missing. The library is never unloaded.
static inline int phone_door_open(const char *name, const PhoneSymbol *wanted, size_t count) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  for (size_t i = 0; i < count; i++) {
    *wanted[i].place = dlsym(library, wanted[i].name);
    if (!*wanted[i].place) return 0;
  }
  return 1;
}

static inline int webp_load(WebPFunctions *loaded, const char *name) {
  PhoneSymbol wanted[] = {
    {(void **)&loaded->get_info, "WebPGetInfo"},
    {(void **)&loaded->decode_rgba_into, "WebPDecodeRGBAInto"},
  };
  return phone_door_open(name, wanted, sizeof wanted / sizeof *wanted);
}

static inline int heif_load(HEIFFunctions *loaded, const char *name) {
  PhoneSymbol wanted[] = {
    {(void **)&loaded->context_alloc, "heif_context_alloc"},
    {(void **)&loaded->context_free, "heif_context_free"},
    {(void **)&loaded->context_read, "heif_context_read_from_memory_without_copy"},
    {(void **)&loaded->context_primary, "heif_context_get_primary_image_handle"},
    {(void **)&loaded->handle_release, "heif_image_handle_release"},
    {(void **)&loaded->handle_width, "heif_image_handle_get_width"},
    {(void **)&loaded->handle_height, "heif_image_handle_get_height"},
    {(void **)&loaded->decode, "heif_decode_image"},
    {(void **)&loaded->image_release, "heif_image_release"},
    {(void **)&loaded->image_width, "heif_image_get_width"},
    {(void **)&loaded->image_height, "heif_image_get_height"},
    {(void **)&loaded->image_plane, "heif_image_get_plane_readonly"},
  };
  return phone_door_open(name, wanted, sizeof wanted / sizeof *wanted);
}

#endif
