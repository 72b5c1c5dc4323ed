// Declarations of libxlsxwriter (1.1 and later, soname 4) from workbook.h, worksheet.h, format.h and common.h. The library
// is loaded with dlopen when a workbook is written: it costs nothing at startup, and its absence is not an error of the
// program.
#ifndef OPENMARKET_CXLSXWRITER_H
#define OPENMARKET_CXLSXWRITER_H

#include <dlfcn.h>
#include <stdint.h>

// glibc declares it only for programs that define _GNU_SOURCE, which Swift's Glibc module does not.
int memfd_create(const char *name, unsigned int flags);

typedef struct lxw_workbook lxw_workbook;
typedef struct lxw_worksheet lxw_worksheet;
typedef struct lxw_format lxw_format;

// The beginning of the structure is the same in all versions with this soname; later ones have further members, which are
// zero here.
typedef struct XLSXOptions {
  uint8_t constant_memory;
  char *temporary_directory;
  uint8_t use_zip64;
  void *later[4];
} XLSXOptions;

// Rows from 0 through 1,048,575, columns from 0 through 16,383. A result of 0 means success.
typedef struct XLSXFunctions {
  lxw_workbook *(*workbook_new_opt)(const char *path, XLSXOptions *);
  lxw_worksheet *(*add_worksheet)(lxw_workbook *, const char *name);
  lxw_format *(*add_format)(lxw_workbook *);
  // Writes the file and frees the workbook, also if it fails.
  int (*close)(lxw_workbook *);
  void (*free)(lxw_workbook *);
  int (*write_number)(lxw_worksheet *, uint32_t row, uint16_t column, double, lxw_format *);
  int (*write_string)(lxw_worksheet *, uint32_t row, uint16_t column, const char *, lxw_format *);
  int (*write_boolean)(lxw_worksheet *, uint32_t row, uint16_t column, int, lxw_format *);
  int (*set_column)(lxw_worksheet *, uint16_t first, uint16_t last, double width, lxw_format *);
  void (*freeze_panes)(lxw_worksheet *, uint32_t row, uint16_t column);
  void (*set_bold)(lxw_format *);
  void (*set_bottom)(lxw_format *, uint8_t style);
  void (*set_top)(lxw_format *, uint8_t style);
  void (*set_num_format)(lxw_format *, const char *);
} XLSXFunctions;

// Loads the library and all functions; returns 0 if one is missing. The library is never unloaded.
static inline int xlsx_load(XLSXFunctions *loaded, const char *name) {
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
  struct { void **place; const char *symbol; } wanted[] = {
    {(void **)&loaded->workbook_new_opt, "workbook_new_opt"},
    {(void **)&loaded->add_worksheet, "workbook_add_worksheet"},
    {(void **)&loaded->add_format, "workbook_add_format"},
    {(void **)&loaded->close, "workbook_close"},
    {(void **)&loaded->free, "lxw_workbook_free"},
    {(void **)&loaded->write_number, "worksheet_write_number"},
    {(void **)&loaded->write_string, "worksheet_write_string"},
    {(void **)&loaded->write_boolean, "worksheet_write_boolean"},
    {(void **)&loaded->set_column, "worksheet_set_column"},
    {(void **)&loaded->freeze_panes, "worksheet_freeze_panes"},
    {(void **)&loaded->set_bold, "format_set_bold"},
    {(void **)&loaded->set_bottom, "format_set_bottom"},
    {(void **)&loaded->set_top, "format_set_top"},
    {(void **)&loaded->set_num_format, "format_set_num_format"},
  };
  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++) {
    *wanted[i].place = dlsym(library, wanted[i].symbol);
    if (!*wanted[i].place) return 0;
  }
  return 1;
}

#endif
