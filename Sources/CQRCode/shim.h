// Declarations of libqrencode (soname 4, qrencode.h). The library is loaded with dlopen when a code is first drawn: its
// absence is not an error of the program.
#ifndef OPENMARKET_CQRCODE_H
#define OPENMARKET_CQRCODE_H

#include <dlfcn.h>

typedef struct QRCode {
  int version;
  int width;
  // One byte a module, row by row; bit 0 is set if it is dark.
  unsigned char *modules;
} QRCode;

typedef struct QRCodeFunctions {
  QRCode *(*encode)(const char *text, int version, int level, int mode, int case_sensitive);
  void (*free)(QRCode *);
} QRCodeFunctions;

enum { qr_level_medium = 1, qr_mode_bytes = 2 };

// Loads the library; returns 0 if it or a function is missing. It is never unloaded.
static inline int qrcode_load(QRCodeFunctions *functions) {
  void *library = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  *(void **)&functions->encode = dlsym(library, "QRcode_encodeString");
  *(void **)&functions->free = dlsym(library, "QRcode_free");
  return functions->encode && functions->free;
}

#endif
